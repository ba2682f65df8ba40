(module
  (import "env" "memory" (memory 0))
  ;; The sum of four numbers.
  (func $lanes (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
  ;; The dot products of a query with rows of bytes.
  (func (export "dots") (param $query i32) (param $row i32) (param $stride i32) (param $count i32) (param $out i32)
    (local $end i32) (local $at i32) (local $sum v128) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $query) (local.get $stride)))
    (loop $rows
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (loop $numbers
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load (local.get $row)))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a)) (i16x8.extend_low_i8x16_s (local.get $b)))))
        (local.set $sum (i32x4.add (local.get $sum)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a)) (i16x8.extend_high_i8x16_s (local.get $b)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
      (i32.store (local.get $out) (call $lanes (local.get $sum)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
  ;; The dot products of a query with listed rows, four at a time, because most of the time is waiting for memory. They replace the list.
  (func (export "dotListed") (param $query i32) (param $rows i32) (param $stride i32) (param $list i32) (param $count i32)
    (local $at i32) (local $a v128) (local $b v128) (local $low v128) (local $high v128)
    (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (loop $listed
      (local.set $row0 (i32.add (local.get $rows) (i32.mul (i32.load (local.get $list)) (local.get $stride))))
      (local.set $sum0 (v128.const i32x4 0 0 0 0))
      (local.set $row1 (i32.add (local.get $rows) (i32.mul (i32.load offset=4 (local.get $list)) (local.get $stride))))
      (local.set $sum1 (v128.const i32x4 0 0 0 0))
      (local.set $row2 (i32.add (local.get $rows) (i32.mul (i32.load offset=8 (local.get $list)) (local.get $stride))))
      (local.set $sum2 (v128.const i32x4 0 0 0 0))
      (local.set $row3 (i32.add (local.get $rows) (i32.mul (i32.load offset=12 (local.get $list)) (local.get $stride))))
      (local.set $sum3 (v128.const i32x4 0 0 0 0))
      (local.set $at (i32.const 0))
      (loop $numbers
        (local.set $a (v128.load (i32.add (local.get $query) (local.get $at))))
        (local.set $low (i16x8.extend_low_i8x16_s (local.get $a)))
        (local.set $high (i16x8.extend_high_i8x16_s (local.get $a)))
        (local.set $b (v128.load (i32.add (local.get $row0) (local.get $at))))
        (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $b)))
          (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $b))))))
        (local.set $b (v128.load (i32.add (local.get $row1) (local.get $at))))
        (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $b)))
          (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $b))))))
        (local.set $b (v128.load (i32.add (local.get $row2) (local.get $at))))
        (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $b)))
          (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $b))))))
        (local.set $b (v128.load (i32.add (local.get $row3) (local.get $at))))
        (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $low) (i16x8.extend_low_i8x16_s (local.get $b)))
          (i32x4.dot_i16x8_s (local.get $high) (i16x8.extend_high_i8x16_s (local.get $b))))))
        (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stride))))
      (i32.store (local.get $list) (call $lanes (local.get $sum0)))
      (i32.store offset=4 (local.get $list) (call $lanes (local.get $sum1)))
      (i32.store offset=8 (local.get $list) (call $lanes (local.get $sum2)))
      (i32.store offset=12 (local.get $list) (call $lanes (local.get $sum3)))
      (local.set $list (i32.add (local.get $list) (i32.const 16)))
      (br_if $listed (i32.gt_s (local.tee $count (i32.sub (local.get $count) (i32.const 4))) (i32.const 0)))))
  ;; Rounds 32-bit floats to bytes, of which the largest is 127.
  (func $four (param $at i32) (param $scale v128) (result v128)
    (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load (local.get $at)) (local.get $scale)))))
  (func (export "quantise") (param $floats i32) (param $out i32) (param $stride i32)
    (local $end i32) (local $at i32) (local $largest v128) (local $size f32) (local $scale v128)
    (local.set $end (i32.add (local.get $floats) (i32.shl (local.get $stride) (i32.const 2))))
    (local.set $at (local.get $floats))
    (loop $find
      (local.set $largest (f32x4.pmax (local.get $largest) (f32x4.abs (v128.load (local.get $at)))))
      (br_if $find (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $size (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $largest)) (f32x4.extract_lane 1 (local.get $largest)))
      (f32.max (f32x4.extract_lane 2 (local.get $largest)) (f32x4.extract_lane 3 (local.get $largest)))))
    (if (f32.gt (local.get $size) (f32.const 0))
      (then (local.set $scale (f32x4.splat (f32.div (f32.const 127) (local.get $size))))))
    (local.set $at (local.get $floats))
    (loop $round
      (v128.store (local.get $out) (i8x16.narrow_i16x8_s
        (i16x8.narrow_i32x4_s
          (call $four (local.get $at) (local.get $scale))
          (call $four (i32.add (local.get $at) (i32.const 16)) (local.get $scale)))
        (i16x8.narrow_i32x4_s
          (call $four (i32.add (local.get $at) (i32.const 32)) (local.get $scale))
          (call $four (i32.add (local.get $at) (i32.const 48)) (local.get $scale)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $round (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))
  ;; One bit per number of a row: whether it is below the centre, after a Walsh-Hadamard transform that spreads what few numbers say.
  ;; A block is so many bytes of 16-bit numbers, of which each eighth is transformed.
  (func (export "sketch") (param $row i32) (param $centre i32) (param $work i32) (param $stride i32) (param $block i32) (param $out i32)
    (local $at i32) (local $half i32) (local $end i32) (local $a v128) (local $b v128)
    (loop $widen
      (v128.store (i32.add (local.get $work) (i32.shl (local.get $at) (i32.const 1)))
        (i16x8.sub (v128.load8x8_s (i32.add (local.get $row) (local.get $at)))
          (v128.load (i32.add (local.get $centre) (i32.shl (local.get $at) (i32.const 1))))))
      (br_if $widen (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $stride))))
    (local.set $end (i32.shl (local.get $stride) (i32.const 1)))
    (local.set $half (i32.const 16))
    (loop $stages
      (local.set $at (i32.const 0))
      (loop $pairs
        (local.set $a (v128.load (i32.add (local.get $work) (local.get $at))))
        (local.set $b (v128.load (i32.add (i32.add (local.get $work) (local.get $at)) (local.get $half))))
        (v128.store (i32.add (local.get $work) (local.get $at)) (i16x8.add (local.get $a) (local.get $b)))
        (v128.store (i32.add (i32.add (local.get $work) (local.get $at)) (local.get $half)) (i16x8.sub (local.get $a) (local.get $b)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.and (local.get $at) (local.get $half))))
        (br_if $pairs (i32.lt_u (local.get $at) (local.get $end))))
      (br_if $stages (i32.lt_u (local.tee $half (i32.shl (local.get $half) (i32.const 1))) (local.get $block))))
    (local.set $at (i32.const 0))
    (loop $signs
      (i32.store8 (local.get $out) (i16x8.bitmask (v128.load (i32.add (local.get $work) (local.get $at)))))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (br_if $signs (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  ;; How many bits of a query differ from those of each row.
  (func (export "differ") (param $query i32) (param $row i32) (param $stride i32) (param $count i32) (param $out i32)
    (local $end i32) (local $at i32) (local $sum v128)
    (local.set $end (i32.add (local.get $query) (local.get $stride)))
    (loop $rows
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      ;; The counts of two times 16 bytes fit in a byte.
      (loop $bits
        (local.set $sum (i16x8.add (local.get $sum) (i16x8.extadd_pairwise_i8x16_u (i8x16.add
          (i8x16.popcnt (v128.xor (v128.load (local.get $at)) (v128.load (local.get $row))))
          (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $row))))))))
        (local.set $row (i32.add (local.get $row) (i32.const 32)))
        (br_if $bits (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $end))))
      (local.set $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum)))
      (i32.store (local.get $out) (call $lanes (local.get $sum)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
)
