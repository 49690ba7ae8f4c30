//! Whether stdout was closed when the command was started (`>&-`).
//!
//! What is written to a closed stdout is lost, and nobody would know: ahead of `main`, Rust opens `/dev/null` in its place, so
//! that no file opened later is taken for it. Looking after that is too late, hence the look ahead of `main`.

#[cfg(unix)]
mod at_start {
    use std::os::fd::AsFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static CLOSED: AtomicBool = AtomicBool::new(false);

    #[ctor::ctor(unsafe)]
    fn look() {
        // Only what is open can be cloned.
        let closed = std::io::stdout().as_fd().try_clone_to_owned().is_err();
        CLOSED.store(closed, Ordering::Relaxed);
    }
}

pub(crate) fn stdout() -> bool {
    #[cfg(unix)]
    return at_start::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(unix))]
    false
}
