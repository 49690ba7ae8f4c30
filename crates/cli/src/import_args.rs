//! The flags of all subcommands that read files.

use throng::ImportOptions;
use throng::tracks::LengthUnit;
use throng::tracks::import::Report;

/// How a file is read.
#[derive(clap::Args, Clone, Copy)]
#[command(next_help_heading = "Reading files")]
pub(crate) struct ImportArgs {
    /// A clip that can't be built, or that a bank can't hold, is an error; else it is left out and reported.
    #[arg(long)]
    strict: bool,
    /// Shift clips with keys before 0 so that they start at 0; else they can't be built.
    #[arg(long)]
    shift_negative_times: bool,
    /// Shift every clip so that its first key is at 0.
    #[arg(long)]
    trim_start: bool,
    /// Take the rest pose from the inverse bind matrices of the skins, for glTF.
    #[arg(long)]
    rest_from_bind: bool,
    /// Keep the signs of quaternions in cubic tracks, even where they jump between hemispheres, for glTF.
    #[arg(long)]
    raw_cubic_keys: bool,
    /// The unit of lengths in the file: mm, cm, m, in, ft, yd, or how many metres it is. All lengths are converted to
    /// metres; a file in metres, as glTF should be, needs nothing.
    #[arg(long, value_name = "UNIT", default_value_t, allow_hyphen_values = true)]
    unit: LengthUnit,
}

impl ImportArgs {
    /// The same for another file, whose lengths are in metres.
    pub(crate) fn in_metres(self) -> Self {
        Self { unit: LengthUnit::METRE, ..self }
    }

    /// Adds a line for the conversion of units, if there is one.
    pub(crate) fn remark(self, report: &mut Report) {
        report.remark_on_unit(self.unit);
    }

    /// Whether what would be left out is an error.
    pub(crate) fn is_strict(self) -> bool {
        self.strict
    }

    pub(crate) fn options(self) -> ImportOptions {
        let Self { strict, shift_negative_times, trim_start, rest_from_bind, raw_cubic_keys, unit } = self;
        ImportOptions {
            strict,
            shift_negative_times,
            trim_start,
            rest_from_bind,
            raw_cubic_keys,
            unit,
            ..ImportOptions::default()
        }
    }
}
