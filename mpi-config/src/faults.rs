//! Known faults of MPI libraries (data only).
