//! Where a struct has padding, said of the field beside it.

use super::Field;

/// How many bytes of padding lie at a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Padding {
    /// Between the struct's address and the field, if no other is nearer to that address.
    before: usize,
    inside: usize,
    /// Up to the next field, or to the struct's end.
    behind: usize,
}

impl Padding {
    /// Of the field with this number, in a struct of these fields and this size.
    pub(super) const fn at(fields: &[Field], number: usize, size: usize) -> Self {
        let Field { offset, parts, .. } = fields[number];
        let inside = parts.size - parts.bytes;
        if parts.size == 0 {
            return Padding { before: 0, inside, behind: 0 };
        }
        let (mut before, mut next, mut i) = (offset, size, 0);
        while i < fields.len() {
            let other = fields[i].offset;
            if fields[i].parts.size > 0 && other < offset {
                before = 0;
            } else if fields[i].parts.size > 0 && other > offset && other < next {
                next = other;
            }
            i += 1;
        }
        Padding { before, inside, behind: next - offset - parts.size }
    }

    /// Nothing if there is none: else the compiler's error, where the caller is.
    #[track_caller]
    pub(super) const fn refuse(self) {
        let (number, place) = match self {
            Padding { before: 0, inside: 0, behind: 0 } => return,
            Padding { before: 0, inside: 0, behind } => (behind, " behind this field"),
            Padding { before: 0, inside, .. } => (inside, " in this field, or unknown ones"),
            Padding { before, .. } => (before, " before this field"),
        };
        let unit = if number == 1 { " byte" } else { " bytes" };
        let message = Message::new("`#[mpi(bytes)]` is for types without padding: ").number(number);
        panic!("{}", message.text(unit).text(place).as_str());
    }
}

/// A text with a number in it, which constants have no other way to make.
struct Message {
    bytes: [u8; 128],
    len: usize,
}

impl Message {
    const fn new(text: &str) -> Self {
        Message { bytes: [0; 128], len: 0 }.text(text)
    }

    const fn text(mut self, text: &str) -> Self {
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.len] = text.as_bytes()[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    const fn number(mut self, number: usize) -> Self {
        if number >= 10 {
            self = self.number(number / 10);
        }
        self.bytes[self.len] = b'0' + (number % 10) as u8;
        self.len += 1;
        self
    }

    const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(offsets: &[usize]) -> Vec<Field> {
        offsets.iter().map(|&offset| Field::of::<u32>(offset)).collect()
    }

    #[test]
    fn each_gap_is_at_one_field() {
        let fields = fields(&[16, 4, 8]);
        let at = |number| Padding::at(&fields, number, 24);
        assert_eq!(at(0), Padding { before: 0, inside: 0, behind: 4 });
        assert_eq!(at(1), Padding { before: 4, inside: 0, behind: 0 });
        assert_eq!(at(2), Padding { before: 0, inside: 0, behind: 4 });
    }

    #[test]
    fn fields_without_bytes_have_none() {
        let fields = [Field::of::<()>(8), Field::of::<u32>(0), Field::of::<[u64; 0]>(4)];
        let at = |number| Padding::at(&fields, number, 8);
        assert_eq!(at(0), Padding { before: 0, inside: 0, behind: 0 });
        assert_eq!(at(1), Padding { before: 0, inside: 0, behind: 4 });
        assert_eq!(at(2), Padding { before: 0, inside: 0, behind: 0 });
    }

    #[test]
    fn a_message_has_its_number() {
        for number in [0, 7, 10, 1024, usize::MAX] {
            assert_eq!(Message::new("a ").number(number).text(" b").as_str(), format!("a {number} b"));
        }
    }
}
