#!/usr/bin/env python3
"""Weakens each guard of the safe layer in turn, and shows that a misuse program then compiles.

A guard that nothing notices is either not tested or not needed. `--quick` runs three; `--only TEXT` those whose file or
case contains the text. The crate is copied, so that the checkout stays as it is, and bound to MPICH if it is there: its
handles are integers, so that no pointer hides a guard against threads.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What is weakened: (file, the guard, what it becomes, the case that then compiles, whether it is one of the quick ones)
MUTATIONS = [
    ("src/scope/mod.rs", "scope: PhantomData<&'s mut &'s ()>,", "scope: PhantomData<&'s ()>,", "scope/01_local_buffer", True),
    ("src/scope/keep.rs", "pub fn keep<T: 'env>", "pub fn keep<T: 's>", "scope/21_kept_value_refers_to_another", True),
    ("src/status.rs", "_thread: PhantomData<*const ()>,", "_thread: PhantomData<()>,", "types/12_status_to_thread", False),
    ("src/collective/bcast.rs", "B: RecvBuf + SendBuf + ?Sized,", "B: RecvBuf + ?Sized,", "types/06_bcast_of_uninitialized", False),
    ("src/collective/allreduce.rs", "R: RecvSlice<Elem = S::Elem> + ?Sized,\n        O: Operation<S::Elem>,\n    {\n        let described = Reduction::new::<S::Elem, O>(ALLREDUCE, send.region()?, recv", "R: RecvSlice + ?Sized,\n        O: Operation<S::Elem>,\n    {\n        let described = Reduction::new::<S::Elem, O>(ALLREDUCE, send.region()?, recv", "types/04_two_element_types", False),
    ("src/buffer/slice.rs", "unsafe impl<T: Datatype> SendSlice for [T] {}", "unsafe impl<T: Datatype> SendSlice for [T] {}\nunsafe impl<T: Datatype> SendSlice for super::Strided<'_, T> {}", "types/10_strided_reduction", False),
    ("src/p2p/peer.rs", "impl From<Option<usize>> for Destination {", "impl From<Source> for Destination {\n    fn from(_: Source) -> Self {\n        Destination(None)\n    }\n}\nimpl From<Option<usize>> for Destination {", "types/02_wildcard_destination", False),
    ("src/scope/mod.rs", "env: PhantomData<&'env mut &'env ()>,", "env: PhantomData<&'env ()>,", "scope/21_kept_value_refers_to_another", False),
    ("src/buffer/owned.rs", "pub unsafe trait OwnedSend: 'static {", "pub unsafe trait OwnedSend {", "owned/18_impl_for_a_borrow", True),
    ("src/persistent/lend.rs", "pub struct Lent<'s>(PhantomData<&'s mut &'s ()>);", "pub struct Lent<'s>(PhantomData<&'s ()>);", "persistent/28_scoped_plan_is_shortened", False),
    ("src/persistent/lend.rs", "type Access = Shared;", "type Access = Exclusive;", "persistent/23_receive_into_shared", False),
    ("src/collective/op/user.rs", "Send + Sync + 'static", "'static", "op/04_capture_a_cell", False),
    ("src/buffer/parts.rs", "pub fn push<B: LendRecv<'a> + LendSend<'a>>", "pub fn push<B: LendRecv<'a>>", "vectors/08_uninitialized_part", False),
    ("src/datatype/attribute.rs", "_thread: PhantomData<*const ()>,", "_thread: PhantomData<()>,", "layouts/13_key_to_thread", False),
    ("src/request/set/mod.rs", "_invariant: PhantomData<&'s mut &'s ()>,", "_invariant: PhantomData<&'s ()>,", "request/02_set_is_shortened", False),
    ("derive/src/derive/datatype.rs", "<Self as #mpi::datatype::Datatype>::unit_in(&SLOT)", "SLOT.unit::<Self>()", "derive/46_slot_of_ones_own", False),
    ("derive/src/derive/from_bits.rs", "<Self as #mpi::datatype::FromBits>::is_unchecked(::core::marker::PhantomData::<Self::Bits>);", "", "derive/47_bits_of_ones_own", False),
    ("derive/src/derive/datatype.rs", "            const SCALAR: () = ();\n        }\n    }\n}\n\n/// An enum", "        }\n    }\n}\n\n/// An enum", "derive/48_another_marker", False),
    ("src/datatype/parts.rs", "size_of::<E>() == size_of::<I>() && align_of::<E>() == align_of::<I>(),", "true,", "derive/45_aligned_enum", False),
    ("src/datatype/parts.rs", "Self::structure::<T>().bytes == size_of::<T>(),", "true,", "derive/54_bytes_of_ones_own", False),
]


def compiler(work, target):
    """Builds the crate; gives a function that compiles a program against it, or what went wrong."""
    command = ["cargo", "build", "--lib", "-p", "mpi", "--quiet", "--message-format=json-render-diagnostics", "--target-dir", str(target)]
    built = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if built.returncode:
        return None, built.stderr
    rlib = next(name for line in built.stdout.splitlines() for name in json.loads(line).get("filenames", []) if re.search(r"/libmpi-\w+\.rlib$", name) or name.endswith("/libmpi.rlib"))
    deps = target / "debug/deps"

    def compiles(program):
        with tempfile.TemporaryDirectory() as out:
            command = ["rustc", "--edition", "2024", "--crate-name", "case", "--emit=metadata", "-A", "warnings", "-L", f"dependency={deps}", "--extern", f"mpi={rlib}", "-o", f"{out}/case.rmeta", str(program)]
            return subprocess.run(command, capture_output=True).returncode == 0

    return compiles, ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    chosen = [m for m in MUTATIONS if (m[4] or not options.quick) and options.only in m[0] + m[3]]
    if "MPICC" not in os.environ and shutil.which("mpicc.mpich"):
        os.environ["MPICC"] = "mpicc.mpich"

    passed = failed = 0
    target = ROOT / "target/mutations"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "crate"
        shutil.copytree(ROOT, work, ignore=shutil.ignore_patterns("target", ".git"))
        for file, guard, weaker, case, _ in chosen:
            path = work / file
            original = path.read_text()
            name = f"{file}: {guard.splitlines()[0]}"
            if original.count(guard) != 1:
                problem = f"the guard stands {original.count(guard)} times in the file: correct the table"
            else:
                path.write_text(original.replace(guard, weaker))
                compiles, error = compiler(work, target)
                path.write_text(original)
                if compiles is None:
                    problem = f"the weakened crate does not compile:\n{error}"
                else:
                    problem = "" if compiles(ROOT / f"tests/ui/{case}.rs") else f"nobody notices: {case} still does not compile"
            print(f"{'FAILED' if problem else 'ok'}  {name} -> {case}{': ' + problem if problem else ''}", flush=True)
            passed, failed = passed + (not problem), failed + bool(problem)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
