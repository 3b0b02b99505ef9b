//! What the doctor found, one line each, the problems with their remedies.

use std::fmt;

/// The findings.
#[derive(Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    subject: &'static str,
    text: String,
    severity: Severity,
    remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Severity {
    Good,
    Note,
    Bad,
}

impl Report {
    /// As it should be.
    pub fn good(&mut self, subject: &'static str, text: impl fmt::Display) {
        self.add(subject, text, Severity::Good, None);
    }

    /// Worth knowing, but nothing stops working.
    pub fn note(&mut self, subject: &'static str, text: impl fmt::Display) {
        self.add(subject, text, Severity::Note, None);
    }

    /// A build or a run would not work until the remedy, one command, is taken.
    pub fn bad(&mut self, subject: &'static str, text: impl fmt::Display, remedy: impl Into<String>) {
        self.add(subject, text, Severity::Bad, Some(remedy.into()));
    }

    /// Whether anything would not work.
    pub fn has_problems(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Bad)
    }

    fn add(
        &mut self,
        subject: &'static str,
        text: impl fmt::Display,
        severity: Severity,
        remedy: Option<String>,
    ) {
        self.findings.push(Finding { subject, text: text.to_string(), severity, remedy });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { subject, text, severity, remedy } in &self.findings {
            let mark = match severity {
                Severity::Good => "ok     ",
                Severity::Note => "note   ",
                Severity::Bad => "PROBLEM",
            };
            let indent = format!("\n{:24}", "");
            writeln!(f, "{mark} {subject:<15} {}", text.trim_end().replace('\n', &indent))?;
            if let Some(remedy) = remedy {
                writeln!(f, "        {:<15} {}", "to mend it:", remedy.replace('\n', &indent))?;
            }
        }
        let problems = self.findings.iter().filter(|finding| finding.severity == Severity::Bad).count();
        match problems {
            0 => writeln!(f, "\nEverything works."),
            1 => writeln!(f, "\n1 problem."),
            _ => writeln!(f, "\n{problems} problems."),
        }
    }
}
