//! What a compiler wrapper (or pkg-config) says is needed to compile and link against MPI.

use std::path::{Path, PathBuf};

/// The parts of a compiler command line that concern a binding; everything else is dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// The compiler the wrapper runs: what stands before the first option.
    pub compiler: Vec<String>,
    /// `-I` and `-isystem` folders.
    pub includes: Vec<PathBuf>,
    /// `-D` definitions, without the `-D`.
    pub defines: Vec<String>,
    /// `-L` folders.
    pub libdirs: Vec<PathBuf>,
    /// `-l` names, in order.
    pub libs: Vec<String>,
    /// Folders the program searches for libraries when it starts.
    pub rpaths: Vec<PathBuf>,
    /// Libraries named by their file, such as `/opt/x/libmpi.so`.
    pub files: Vec<PathBuf>,
}

impl Flags {
    /// Parses one line of shell words, as `mpicc -show` prints them. `None` if a quote is never closed.
    pub fn parse(line: &str) -> Option<Flags> {
        let words = shlex::split(line.trim())?;
        let is_option = |word: &String| word.starts_with('-') || is_library(Path::new(word));
        let options = words.iter().position(is_option).unwrap_or(words.len());
        let mut flags = Flags { compiler: words[..options].to_vec(), ..Flags::default() };

        let mut linker = Vec::new();
        let mut rest = words[options..].iter().map(String::as_str);
        while let Some(word) = rest.next() {
            match Word::of(word, &mut rest) {
                Word::Include(path) => push(&mut flags.includes, path.into()),
                Word::Define(text) => push(&mut flags.defines, text.to_owned()),
                Word::LibDir(path) => push(&mut flags.libdirs, path.into()),
                Word::Lib(name) => push(&mut flags.libs, name.to_owned()),
                Word::Linker(text) => linker.extend(text.split(',').map(str::to_owned)),
                Word::File(path) => push(&mut flags.files, path.into()),
                Word::Other => {}
            }
        }
        for path in rpaths(&linker) {
            push(&mut flags.rpaths, path);
        }
        Some(flags)
    }

    /// Folders in which the MPI library is found when a program starts, and the loader would not look anyway.
    pub fn runtime_dirs(&self) -> Vec<PathBuf> {
        let mut dirs = Vec::new();
        let parents = self.files.iter().filter_map(|file| file.parent().map(Path::to_path_buf));
        for dir in self.rpaths.iter().chain(&self.libdirs).cloned().chain(parents) {
            if dir.is_dir() && !is_system(&dir) {
                push(&mut dirs, dir);
            }
        }
        dirs
    }

    /// The options that make the preprocessor see what the wrapper would show it.
    pub fn preprocessor_args(&self) -> Vec<String> {
        let includes = self.includes.iter().map(|dir| format!("-I{}", dir.display()));
        let defines = self.defines.iter().map(|text| format!("-D{text}"));
        includes.chain(defines).collect()
    }
}

/// One option, together with its argument if that is the next word.
enum Word<'a> {
    Include(&'a str),
    Define(&'a str),
    LibDir(&'a str),
    Lib(&'a str),
    Linker(&'a str),
    File(&'a str),
    Other,
}

impl<'a> Word<'a> {
    fn of(word: &'a str, rest: &mut impl Iterator<Item = &'a str>) -> Word<'a> {
        type Kind = for<'a> fn(&'a str) -> Word<'a>;
        const WITH_ARGUMENT: [(&str, Kind); 6] = [
            ("-isystem", |x| Word::Include(x)),
            ("-Xlinker", |x| Word::Linker(x)),
            ("-I", |x| Word::Include(x)),
            ("-D", |x| Word::Define(x)),
            ("-L", |x| Word::LibDir(x)),
            ("-l", |x| Word::Lib(x)),
        ];
        if let Some(options) = word.strip_prefix("-Wl,") {
            return Word::Linker(options);
        }
        for (option, kind) in WITH_ARGUMENT {
            match word.strip_prefix(option) {
                Some("") => return rest.next().map_or(Word::Other, kind),
                Some(argument) => return kind(argument),
                None => {}
            }
        }
        if !word.starts_with('-') && is_library(Path::new(word)) { Word::File(word) } else { Word::Other }
    }
}

/// The folders of `-rpath DIR`, `-rpath=DIR` and `-R DIR`. Relative ones (an unset variable in a wrapper
/// leaves such) are dropped.
fn rpaths(linker: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut words = linker.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let value = match word {
            "-rpath" | "--rpath" | "-R" => words.next(),
            _ => word.strip_prefix("-rpath=").or_else(|| word.strip_prefix("--rpath=")),
        };
        let dirs = value.into_iter().flat_map(|list| list.split(':'));
        found.extend(dirs.filter(|dir| dir.starts_with('/')).map(PathBuf::from));
    }
    found
}

/// Is this file name that of a library (`.a`, `.so`, `.so.40.30`, `.dylib`)?
fn is_library(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    [".a", ".so", ".dylib"].iter().any(|end| name.ends_with(end)) || name.contains(".so.")
}

/// Does the loader look into this folder without being told to?
pub(super) fn is_system(dir: &Path) -> bool {
    let known = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
    let multiarch = |dir: &Path| {
        let parent = dir.parent().is_some_and(|up| up == Path::new("/usr/lib") || up == Path::new("/lib"));
        parent && dir.file_name().is_some_and(|name| name.to_string_lossy().contains("-linux-"))
    };
    known.iter().any(|system| dir == Path::new(system)) || multiarch(dir)
}

/// Appends unless it is there already: wrappers repeat themselves.
fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(list: &[&str]) -> Vec<PathBuf> {
        list.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn debian_mpich() {
        let flags = Flags::parse(
            "gcc -flto=auto -ffat-lto-objects -Wl,-z,relro -I/usr/include/x86_64-linux-gnu/mpich \
             -L/usr/lib/x86_64-linux-gnu -lmpich\n",
        )
        .unwrap();
        assert_eq!(flags.compiler, ["gcc"]);
        assert_eq!(flags.includes, paths(&["/usr/include/x86_64-linux-gnu/mpich"]));
        assert_eq!(flags.libs, ["mpich"]);
        assert!(flags.rpaths.is_empty() && flags.defines.is_empty());
        assert!(flags.runtime_dirs().is_empty(), "the loader finds system folders by itself");
    }

    #[test]
    fn quotes_escapes_and_separate_arguments() {
        let flags = Flags::parse(
            r#"ccache gcc -I"/opt/my mpi/include" -isystem /opt/my\ mpi/extra -D 'NAME="a b"' -L '/opt/my mpi/lib' -l mpi -pthread"#,
        )
        .unwrap();
        assert_eq!(flags.compiler, ["ccache", "gcc"]);
        assert_eq!(flags.includes, paths(&["/opt/my mpi/include", "/opt/my mpi/extra"]));
        assert_eq!(flags.defines, [r#"NAME="a b""#]);
        assert_eq!(flags.libdirs, paths(&["/opt/my mpi/lib"]));
        assert_eq!(flags.libs, ["mpi"]);
        assert_eq!(Flags::parse("gcc -I\"/open"), None);
    }

    #[test]
    fn every_spelling_of_rpath() {
        for line in [
            "cc -Wl,-rpath,/a/lib",
            "cc -Wl,-rpath -Wl,/a/lib",
            "cc -Wl,-rpath=/a/lib",
            "cc -Xlinker -rpath -Xlinker /a/lib",
            "cc -Wl,--enable-new-dtags -Wl,-rpath,$:$/../lib:/a/lib -Xlinker --enable-new-dtags",
        ] {
            assert_eq!(Flags::parse(line).unwrap().rpaths, paths(&["/a/lib"]), "{line}");
        }
    }

    #[test]
    fn libraries_named_by_file() {
        let flags = Flags::parse("cc /a/libmpi.so /a/libx.so.12 /a/liby.a /a/start.o").unwrap();
        assert_eq!(flags.compiler, ["cc"]);
        assert_eq!(flags.files, paths(&["/a/libmpi.so", "/a/libx.so.12", "/a/liby.a"]));
    }
}
