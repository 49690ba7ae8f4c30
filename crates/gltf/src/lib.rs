//! glTF 2.0 import: skeleton, skins, clips and a report of every repair.
