//! Where libclang is, looked for as bindgen does.

use std::fs;
use std::path::{Path, PathBuf};

use mpi_config::find::Environment;

/// Folders where distributions keep it.
const USUAL: [&str; 8] = [
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/opt/llvm/lib",
    "/usr/local/opt/llvm/lib",
    "/Library/Developer/CommandLineTools/usr/lib",
];

/// The file, if it is somewhere bindgen looks: `LIBCLANG_PATH`, what `llvm-config` says, the loader's folders.
pub fn find(env: &Environment) -> Option<PathBuf> {
    if let Some(named) = env.get("LIBCLANG_PATH").map(PathBuf::from) {
        return if named.is_file() { Some(named) } else { in_folder(&named) };
    }
    let mut folders: Vec<PathBuf> = llvm_config(env).into_iter().collect();
    // Debian's /usr/lib/llvm-14/lib; the newest first, as bindgen prefers it.
    let mut versions: Vec<PathBuf> = entries(Path::new("/usr/lib")).filter(|dir| is_llvm(dir)).collect();
    versions.sort_by_key(|dir| std::cmp::Reverse(version(dir)));
    folders.extend(versions.into_iter().map(|dir| dir.join("lib")));
    folders.extend(USUAL.map(PathBuf::from));
    folders.iter().find_map(|folder| in_folder(folder)).or_else(|| loader_cache(env))
}

fn in_folder(folder: &Path) -> Option<PathBuf> {
    entries(folder).find(|file| is_libclang(file))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// `libclang.so`, `libclang.so.1`, `libclang-14.so.1`, `libclang.dylib`; not `libclang-cpp.so`.
fn is_libclang(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(rest) = name.strip_prefix("libclang") else { return false };
    let rest = rest.strip_prefix('-').map_or(rest, |version| {
        version
            .trim_start_matches(|character: char| character.is_ascii_digit() || character == '.')
            .strip_prefix("so")
            .map_or("", |_| ".so")
    });
    // A link may lead nowhere when a package was removed.
    (rest.starts_with(".so") || rest == ".dylib") && file.exists()
}

fn is_llvm(dir: &Path) -> bool {
    dir.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm"))
}

fn version(dir: &Path) -> u32 {
    let name = dir.to_string_lossy();
    name.rsplit(|character: char| !character.is_ascii_digit())
        .next()
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0)
}

fn llvm_config(env: &Environment) -> Option<PathBuf> {
    let program =
        env.get("LLVM_CONFIG_PATH").map_or_else(|| env.which("llvm-config"), |path| env.which(path))?;
    let output = env.command(&program).arg("--libdir").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().into())
}

/// What the run-time loader knows.
fn loader_cache(env: &Environment) -> Option<PathBuf> {
    let ldconfig = env.which("ldconfig").or_else(|| env.which("/sbin/ldconfig"))?;
    let output = env.command(&ldconfig).arg("-p").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter_map(|line| Some(PathBuf::from(line.split_once("=> ")?.1)))
        .find(|file| is_libclang(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libclang_is_told_from_its_relatives() {
        let root = tempfile::tempdir().unwrap();
        let named = |name: &str| {
            let file = root.path().join(name);
            fs::write(&file, "").unwrap();
            is_libclang(&file)
        };
        for name in
            ["libclang.so", "libclang.so.1", "libclang-14.so.1", "libclang-14.0.6.so", "libclang.dylib"]
        {
            assert!(named(name), "{name}");
        }
        for name in ["libclang-cpp.so.14", "libclangAST.a", "libclang_rt.so", "libclang.a", "libclang-14.a"] {
            assert!(!named(name), "{name}");
        }
    }

    #[test]
    fn the_users_word_counts_first() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("libclang.so");
        let env = Environment::new([("LIBCLANG_PATH", root.path().as_os_str())], Vec::new());
        assert_eq!(find(&env), None);
        fs::write(&file, "").unwrap();
        assert_eq!(find(&env), Some(file));
    }
}
