import { createRequire } from "node:module";
import type * as Arrow from "apache-arrow";

/** The CommonJS build of apache-arrow, which the engine loads too. Loading its ESM build as well would slow down each start. */
const arrow: typeof Arrow = createRequire(import.meta.url)("apache-arrow");

export const {
  AsyncByteQueue,
  Binary,
  Bool,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  makeData,
  RecordBatchFileWriter,
  Schema,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} = arrow;

export type Int32 = Arrow.Int32;
export type Schema = Arrow.Schema;
export type Table = Arrow.Table;
export type Utf8 = Arrow.Utf8;
export type Vector<T extends Arrow.DataType = Arrow.DataType> = Arrow.Vector<T>;
