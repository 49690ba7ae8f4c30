//! Files whose lengths are not in metres.

use super::{Import, ImportError, Problem, Report};
use crate::LengthUnit;
use crate::tools::scale_lengths;

impl Import {
    /// Converts all lengths from `unit` to metres: translations of the rest pose, of clips and of
    /// inverse bind matrices, ends of bones, and positions of vertices. Rotations and scales stay. The
    /// report gets a line, unless the unit is the metre.
    /// [`ImportOptions::unit`](super::ImportOptions::unit) does this on import.
    ///
    /// # Errors
    /// If a length leaves f32. The error has no file.
    pub fn converted_from(mut self, unit: LengthUnit) -> Result<Self, ImportError> {
        if unit == LengthUnit::METRE {
            return Ok(self);
        }
        let factor = unit.metres();
        let beyond = |place: String| {
            let found = format!("a length that leaves f32 when it is converted from {unit} to metres");
            ImportError::new(Problem::field(place, found, "a shorter one, or a smaller unit"))
        };
        for clip in &mut self.clips {
            let place = format!("clip {:?}", clip.name());
            *clip = scale_lengths(clip, &self.skeleton, factor).map_err(|_| beyond(place))?;
        }
        for skin in &mut self.skins {
            let place = format!("skin {:?}", skin.name());
            *skin = skin.with_lengths_scaled(factor).ok_or_else(|| beyond(place))?;
        }
        for part in &mut self.meshes {
            let scaled = part.vertices.with_lengths_scaled(factor);
            part.vertices = scaled.ok_or_else(|| beyond(format!("meshes[{}]", part.mesh)))?;
        }
        let skeleton = self.skeleton.with_lengths_scaled(factor);
        self.skeleton = skeleton.map_err(|_| beyond("rest pose".to_owned()))?;
        for end in &mut self.end_sites {
            end.offset = (end.offset.as_dvec3() * factor).as_vec3();
        }
        self.report.remark_on_unit(unit);
        Ok(self)
    }
}

impl Report {
    /// Adds a line for lengths that were converted from this unit, unless it is the metre.
    pub fn remark_on_unit(&mut self, unit: LengthUnit) {
        if unit != LengthUnit::METRE {
            let factor = unit.metres();
            self.remark("", format!("lengths were converted from {unit} to metres: multiplied by {factor}"));
        }
    }
}
