// LanceDB's native library reads this once it is loaded. Its warnings, such as those about clusters of a vector index, tell nothing that
// an operator could act on, and aren't JSON lines.
process.env.LANCEDB_LOG ??= "error";
