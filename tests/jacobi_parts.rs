//! The parts of the example `jacobi` that need no second process.
// The example uses all of what is included here; these tests, not all.
#![allow(dead_code)]

#[path = "../examples/jacobi/analytic.rs"]
mod analytic;
#[path = "../examples/jacobi/decompose.rs"]
mod decompose;
#[path = "../examples/jacobi/image/mod.rs"]
mod image;
#[path = "../examples/jacobi/limits.rs"]
mod limits;
#[path = "../examples/jacobi/picture.rs"]
mod picture;
#[path = "../examples/jacobi/plate.rs"]
mod plate;
#[path = "../examples/jacobi/summary.rs"]
mod summary;
#[path = "../examples/jacobi/sweep.rs"]
mod sweep;

use image::Grey;
use mpi::buffer::Grid;
use plate::{FREE, HELD, Plate};
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn png_file(size: (u32, u32), color: ColorType, depth: BitDepth, palette: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

fn grey(rows: usize, cols: usize, white: u16, levels: &[u16]) -> Grey {
    Grey { rows, cols, white, levels: levels.to_vec() }
}

#[track_caller]
fn refused(bytes: &[u8], reason: &str) {
    let error = format!("{:#}", Grey::decode(bytes).unwrap_err());
    assert!(error.contains(reason), "{error:?} does not say {reason:?}");
}

// ---- images ----

#[test]
fn png_of_every_kind_becomes_grey() {
    use BitDepth::{Eight, One, Sixteen, Two};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let cases: [(ColorType, BitDepth, &[u8], Grey); 8] = [
        (Grayscale, Eight, &[0, 7, 255], grey(1, 3, 255, &[0, 7, 255])),
        (Grayscale, Sixteen, &[1, 2, 255, 255, 0, 1], grey(1, 3, 65535, &[0x102, 65535, 1])),
        (Grayscale, One, &[0b0100_0000], grey(1, 3, 255, &[0, 255, 0])),
        (Grayscale, Two, &[0b00_01_11_00], grey(1, 3, 255, &[0, 85, 255])),
        (GrayscaleAlpha, Eight, &[200, 255, 200, 0, 255, 51], grey(1, 3, 255, &[200, 0, 51])),
        (Rgb, Eight, &[9, 9, 9, 255, 0, 0, 0, 0, 255], grey(1, 3, 255, &[9, 54, 18])),
        (Rgba, Eight, &[9, 9, 9, 255, 255, 255, 255, 255, 9, 9, 9, 0], grey(1, 3, 255, &[9, 255, 0])),
        (Indexed, Eight, &[1, 0, 1], grey(1, 3, 255, &[30, 10, 30])),
    ];
    for (color, depth, data, expected) in cases {
        let bytes = png_file((3, 1), color, depth, &[10, 10, 10, 30, 30, 30], data);
        assert_eq!(Grey::decode(&bytes).unwrap(), expected, "{color:?} {depth:?}");
    }
}

#[test]
fn pgm_in_text_and_binary() {
    let expected = grey(2, 3, 300, &[0, 1, 2, 300, 4, 256]);
    let text = b"P2 # a comment\n# another 9 9\n3\t2\n300\n0 1 2\n300 4\n256 trailing";
    assert_eq!(Grey::decode(text).unwrap(), expected);
    let binary = b"P5\n3 2\n300\n\0\0\0\x01\0\x02\x01\x2c\0\x04\x01\0";
    assert_eq!(Grey::decode(binary).unwrap(), expected);
    assert_eq!(Grey::decode(b"P5 2 1 9 \x0a\x09").err().map(|_| ()), Some(()), "10 is above the white level");
    // The one blank after the header is not a pixel, and a pixel may look like a blank.
    assert_eq!(Grey::decode(b"P5 2 1 99\n\n ").unwrap(), grey(1, 2, 99, &[10, 32]));
}

#[test]
fn what_is_no_image_is_refused_with_a_reason() {
    refused(b"", "neither a PNG nor a PGM");
    refused(b"hello, world", "neither a PNG nor a PGM");
    refused(b"P6 1 1 255\n\0\0\0", "neither a PNG nor a PGM");
    refused(b"\x89PNG\r\n\x1a\n and then nonsense", "not a valid PNG");
    let cut = png_file((3, 1), ColorType::Grayscale, BitDepth::Eight, &[], &[1, 2, 3]);
    refused(&cut[..cut.len() - 20], "not a valid PNG");
    refused(b"P5", "the width is missing");
    refused(b"P5 3 x 255\n", "the height is missing or not a number");
    refused(b"P2 -3 2 255\n", "the width is missing or not a number");
    refused(b"P5 0 3 255\n", "no pixels");
    refused(b"P5 1 1 0\n\0", "white level is 0");
    refused(b"P5 1 1 65536\n\0", "white level is 65536");
    refused(b"P5 3 3 255\n\0\0\0", "cut short: 3 of 9 bytes");
    refused(b"P2 3 3 255\n1 2", "cut short");
    refused(b"P2 2 1 255\n1 xxx", "a pixel is missing or not a number");
    refused(b"P2 1 1 255\n256", "above its white level");
}

#[test]
fn a_header_that_promises_too_much_is_not_believed() {
    refused(b"P5 4000000000 4000000000 255\n\0", "more than this program reads");
    refused(b"P5 18446744073709551615 2 255\n\0", "more than this program reads");
    refused(b"P5 99999999999999999999 2 255\n\0", "the width is missing or not a number");
    refused(b"P2 16384 16384 255\n0 0 0", "cut short");
    let mut header = png_file((3, 1), ColorType::Grayscale, BitDepth::Eight, &[], &[1, 2, 3]);
    header[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let crc = crc32(&header[12..29]);
    header[29..33].copy_from_slice(&crc.to_be_bytes());
    refused(&header, "more than this program reads");
}

/// The checksum of a PNG chunk.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..4usize) {
        let magic: [&[u8]; 4] = [b"P2 ", b"P5 3 2 255\n", b"\x89PNG\r\n\x1a\n", b""];
        bytes.splice(0..0, magic[kind].iter().copied());
        let _ = Grey::decode(&bytes);
    }

    #[test]
    fn a_binary_pgm_reads_back(rows in 1..9usize, cols in 1..9usize, white in 1..=u16::MAX, seed in any::<u64>()) {
        let levels: Vec<u16> =
            (0..rows * cols).map(|i| (seed.rotate_left(i as u32) % (u64::from(white) + 1)) as u16).collect();
        let mut bytes = format!("P5\n{cols} {rows} {white}\n").into_bytes();
        for level in &levels {
            let [high, low] = level.to_be_bytes();
            if white > 255 { bytes.push(high) }
            bytes.push(low);
        }
        prop_assert_eq!(Grey::decode(&bytes).unwrap(), grey(rows, cols, white, &levels));
    }
}

#[test]
fn the_images_of_the_repository_are_plates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data");
    let images: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "png" || kind == "pgm"))
        .collect();
    assert_eq!(images.len(), 4);
    for path in images {
        let plate = Plate::from_image(&Grey::read(&path).unwrap()).unwrap();
        assert!(plate.free_cells() > plate.interior()[0] * plate.interior()[1] / 2, "{}", path.display());
        assert!(plate.temperatures().iter().any(|&t| t > 0.8), "{}", path.display());
    }
}

// ---- plates ----

#[test]
fn black_is_free_inside_the_frame_and_cold_on_it() {
    let plate = Plate::from_image(&grey(3, 4, 200, &[0, 200, 0, 0, 100, 0, 50, 0, 0, 0, 0, 0])).unwrap();
    assert_eq!(plate.temperatures(), [0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let mut rates = [HELD; 12];
    rates[5] = FREE;
    assert_eq!(plate.rates(), rates);
    assert_eq!((plate.shape(), plate.interior(), plate.free_cells()), ([3, 4], [1, 2], 1));
}

#[test]
fn a_plate_without_interior_is_refused() {
    for (rows, cols) in [(1, 1), (2, 9), (9, 2)] {
        let error = Plate::from_image(&grey(rows, cols, 9, &vec![0; rows * cols])).unwrap_err();
        assert!(error.to_string().contains("at least 3 × 3"), "{error}");
    }
}

// ---- decomposition ----

proptest! {
    #[test]
    fn tiles_cover_every_cell_once(rows in 1..40usize, cols in 1..40usize, down in 1..9usize, across in 1..9usize) {
        let mut owners = vec![0; rows * cols];
        let mut sizes = Vec::new();
        for coords in (0..down).flat_map(|i| (0..across).map(move |j| [i, j])) {
            let tile = decompose::Tile::new([rows, cols], [down, across], coords);
            sizes.push(tile.shape());
            for row in tile.rows {
                for col in tile.cols.clone() {
                    owners[row * cols + col] += 1;
                }
            }
        }
        prop_assert!(owners.iter().all(|&n| n == 1));
        for side in 0..2 {
            let lengths = || sizes.iter().map(|shape| shape[side]);
            prop_assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 1);
        }
    }
}

#[test]
fn the_process_grid_lies_along_the_plate() {
    assert_eq!(decompose::fit([10, 20], [3, 2]).unwrap(), [2, 3]);
    assert_eq!(decompose::fit([20, 10], [2, 3]).unwrap(), [3, 2]);
    assert_eq!(decompose::fit([1, 5], [5, 1]).unwrap(), [1, 5]);
}

#[test]
fn more_ranks_than_rows_are_refused() {
    let error = decompose::fit([1, 1], [2, 2]).unwrap_err().to_string();
    assert!(error.starts_with("4 ranks are too many for this image"), "{error}");
    assert!(decompose::fit([3, 2], [4, 1]).is_err());
}

// ---- arithmetic ----

/// One step as a textbook has it: the new field, and the largest change.
fn textbook_step(plate: &Plate, field: &[f64]) -> (Vec<f64>, f64) {
    let [_, width] = plate.shape();
    let mut largest = 0.0f64;
    let new = field.iter().zip(plate.rates()).enumerate().map(|(i, (&here, &rate))| {
        if rate == HELD {
            return here;
        }
        let sum = (field[i - width] + field[i + width]) + (field[i - 1] + field[i + 1]);
        let change = rate * (sum - 4.0 * here);
        largest = largest.max(change.abs());
        here + change
    });
    (new.collect(), largest)
}

/// The same, tile by tile.
fn tiled_step(plate: &Plate, field: &[f64], dims: [usize; 2]) -> (Vec<f64>, f64) {
    let [_, width] = plate.shape();
    let mut result = field.to_vec();
    let mut largest = 0.0f64;
    for coords in (0..dims[0]).flat_map(|i| (0..dims[1]).map(move |j| [i, j])) {
        let tile = decompose::Tile::new(plate.interior(), dims, coords);
        let [rows, cols] = tile.shape();
        // Ghosts are at index 0 of the grid, and the tile begins at 1, as inside the frame.
        let window = |row: usize, from: usize, len: usize| {
            let start = (tile.rows.start + row) * width + tile.cols.start + from;
            start..start + len
        };
        let mut old = Grid::new(rows, cols, 1, 0.0).unwrap();
        (0..rows + 2).for_each(|row| old.row_mut(row).copy_from_slice(&field[window(row, 0, cols + 2)]));
        let rates = (1..=rows).flat_map(|row| plate.rates()[window(row, 1, cols)].to_vec()).collect();
        let mut sweep = sweep::Sweep::new([rows, cols], rates);
        let halo = old.split();
        let core = halo.core.shared();
        let (north, south) = (halo.north.shared(), halo.south.shared());
        let (west, east) = (halo.west.shared(), halo.east.shared());
        let mut new = Grid::new(rows, cols, 1, f64::NAN).unwrap();
        let mut new = new.split().core;
        sweep.interior(core, &mut new);
        sweep.rim(core, sweep::Ghosts { north: north.row(0), south: south.row(0), west, east }, &mut new);
        (0..rows).for_each(|row| result[window(row + 1, 1, cols)].copy_from_slice(new.row(row)));
        largest = largest.max(sweep.take_largest_change());
        assert_eq!(sweep.take_largest_change(), 0.0, "taken once");
    }
    (result, largest)
}

fn bits(field: &[f64]) -> Vec<u64> {
    field.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #[test]
    fn every_tiling_gives_the_same_bits(
        (rows, cols) in (3..14usize, 3..14usize),
        (down, across) in (1..5usize, 1..5usize),
        seed in any::<u64>(),
    ) {
        let random = |i: usize| (seed ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let cell = |row, col| (random(row * 99 + col) % 3 == 0).then(|| random(row + 99 * col) as f64 / 1e6);
        let plate = Plate::new(rows, cols, cell).unwrap();
        let [inner_rows, inner_cols] = plate.interior();
        let dims = [down.min(inner_rows), across.min(inner_cols)];
        let (mut expected, mut tiled) = (plate.temperatures().to_vec(), plate.temperatures().to_vec());
        for _ in 0..5 {
            let (expected_change, tiled_change);
            (expected, expected_change) = textbook_step(&plate, &expected);
            (tiled, tiled_change) = tiled_step(&plate, &tiled, dims);
            prop_assert_eq!(bits(&expected), bits(&tiled));
            prop_assert_eq!(expected_change.to_bits(), tiled_change.to_bits());
        }
    }
}

#[test]
fn the_analytic_case_converges_with_the_square_of_the_step() {
    let error = |n| {
        let plate = analytic::plate(n).unwrap();
        let mut field = plate.temperatures().to_vec();
        loop {
            let change;
            (field, change) = tiled_step(&plate, &field, [1, 1]);
            if change < analytic::tolerance(n) {
                return analytic::error(n, &field);
            }
        }
    };
    // Half the step: 8, 16 and 32 intervals.
    let errors = [7, 15, 31].map(error);
    for (n, error) in [7, 15, 31].into_iter().zip(errors) {
        assert!(error < analytic::bound(n), "{error} on {n} cells");
    }
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.7..4.3).contains(&ratio), "{ratio}");
    }
}

#[test]
fn progress_is_told_by_the_change_or_by_the_steps() {
    let limits = limits::Limits { tolerance: 1e-6, max_iterations: 1000 };
    assert!((limits.done(10, 1e-2, 1e-4) - 0.5).abs() < 1e-12, "half of the way in powers of ten");
    assert_eq!(limits.done(900, 1e-2, 1e-3), 0.9, "the steps run out first");
    assert_eq!(limits.done(10, 1e-2, 1e-7), 1.0);
    for (first, change) in [(0.0, 0.0), (1e-6, 1e-6), (1e-2, 1e-1), (f64::INFINITY, 1e-3)] {
        assert!((0.0..=1.0).contains(&limits.done(1, first, change)), "{first} {change}");
    }
    let endless = limits::Limits { tolerance: 0.0, max_iterations: 1000 };
    assert_eq!(endless.done(250, 1e-2, 1e-9), 0.25);
    assert!(endless.reached(1000, 1.0) && endless.reached(1, 0.0) && !endless.reached(999, 1e-300));
}

// ---- pictures and numbers ----

#[test]
fn colours_run_from_dark_to_light() {
    assert_eq!((picture::colour(0.0), picture::colour(-1.0)), ([0, 0, 4], [0, 0, 4]));
    assert_eq!((picture::colour(1.0), picture::colour(7.0)), ([252, 255, 164], [252, 255, 164]));
    let light = |i: u32| picture::colour(f64::from(i) / 255.0).map(u32::from).iter().sum::<u32>();
    assert!((0..255).all(|i| light(i) <= light(i + 1)));
}

#[test]
fn a_picture_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let path = folder.path().join("heat.png");
    picture::check(&path).unwrap();
    assert_eq!(files(), 0, "the check leaves nothing");
    picture::write(&path, &[0.0, 0.5, 1.0, 1.0, 0.5, 0.0], 3).unwrap();
    assert_eq!(files(), 1);
    let image = Grey::read(&path).unwrap();
    assert_eq!((image.rows, image.cols), (2, 3));
    // A folder is no place to write a picture to, and neither is a device.
    for place in [folder.path(), Path::new("/dev/null"), &folder.path().join("nowhere/heat.png")] {
        assert!(picture::check(place).is_err(), "{}", place.display());
    }
    // No rows at all cannot be encoded: nothing is left of the attempt.
    assert!(picture::write(&folder.path().join("empty.png"), &[], 3).is_err());
    assert_eq!(files(), 1);
}

#[test]
fn the_fingerprint_sees_every_bit() {
    let field = [0.0, 1.0, 2.0];
    assert_eq!(summary::fingerprint(&field), summary::fingerprint(&field.clone()));
    for other in [[-0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0000000000000004]] {
        assert_ne!(summary::fingerprint(&field), summary::fingerprint(&other));
    }
}
