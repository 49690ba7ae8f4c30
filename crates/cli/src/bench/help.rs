//! What `--help` tells of the answer.

pub(super) const JSON: &str = "\
With --json, one JSON object; with --sizes, one array of them, in the order asked for:

  file, clips, skin         what was played; clips by name, skin null for a file without skins
  instances                 characters
  joints                    entries of one palette
  skin_joints, used_joints  joints of the skin, and how many of them vertices follow; used_joints is null if no mesh says so
  prune                     whether palettes have entries for the latter alone
  bytes_per_joint           what each of them takes in the format
  level, threads, frames, seek, rows, format    as asked for, or by default
  layers, additive, mask    what each character plays: layers that are averaged, whether one is added, and whether each
                            moves a part of the body only; with more than one layer, or a mask, \"the crowd\" is its kernel,
                            called for shards as the crowd does
  stores                    how the crowd and the level scalar wrote: \"cached\" or \"streaming\", as asked for, or cached
  ns_per_joint              an evaluated frame of the crowd, look-up of rows included: nanoseconds by instances * joints
  naive_ns_per_joint        the same by plain code, one character at a time, from the same rows, in the same format
  scalar_ns_per_joint       the same by the crowd at level scalar
  fill_ns_per_joint         only filling the output, by plain or streaming stores, whichever has the lower median
  fill_stores               \"cached\" (plain) or \"streaming\"
  one_layer_ns_per_joint    with several layers or a mask, else null: as ns_per_joint, of the first layer alone
  forward_ns_per_joint      with --seek, else null: as ns_per_joint, of as many characters that play on
  advance_ns_per_instance   moving the clocks on, which is in none of the above
  naive_over_ours           quotient of the medians: how much faster the crowd is than plain code
  ours_over_fill            quotient of the medians: how far the crowd is from the floor
  over_one_layer            quotient of the medians: what the layers cost; null where there is one
  seek_over_forward         quotient of the medians: what seeking costs; null without --seek
  max_difference            largest difference of any number of the palettes of some characters, between the crowd at
                            its level, at level scalar, and plain code; compared after the last frame, as matrices
                            whatever the format
  tolerance                 what it may be at most; beyond it there is an error rather than an answer. It is relative to the
                            size of the rest pose, and grows with the longest chain of joints where that is above 16
  rows_error                largest distance in model space between poses from the rows as they are stored and from those
                            of the bank; the bake's own error comes on top, see throng info
  float_columns             columns of a row that are floats: all of f32, of i16 those that sixteen bits are too few for

With --scenario street, one JSON object with file, instances, joints, level and so on as above, and:

  clips, root_motion        what is walked, run and gone over to; the joint whose way was taken out of the poses, or null
  evaluated, held, hidden   walkers in a frame, on average: posed, between two poses, out of sight
  layers_per_lane           how many playbacks those that are posed have, on average
  markers, crossfades       in a frame, on average: passed, begun
  control_ms                speeds, crossfades, who is in sight and how often to pose whom
  advance_ms                clocks, fades and events
  root_motion_ms            moving everyone's place by it
  evaluate_ms               palettes of those whose turn it is
  events_ms                 reading what happened
  total_ms                  all of a frame
  plain_lanes, plain_ms     palettes of as many lanes with as many layers each, in a crowd that does nothing else
  advance_ns_per_instance   clocks, fades, events and root motion, by all walkers
  evaluate_ns_per_joint     palettes, by those that are posed
  plain_ns_per_joint        the same of the crowd that does nothing else
  total_over_plain          all of a frame by what its palettes take alone, of medians

With --corpses, one JSON object with file, instances, joints, level and so on as above, and:

  evaluated, frozen         instances of a frame: posed, and left out because nothing of them changes
  active_ns, frozen_ns      nanoseconds of one of each in a frame: {advance, evaluate, total}, of the least times
  frozen_over_active        quotient of the totals

Each time is {\"min\", \"median\"} over the frames. All variants write the same buffer, in an order drawn anew each frame, so
that none always finds it the way another leaves it.";
