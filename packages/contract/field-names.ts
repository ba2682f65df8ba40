/**
 * Other common names of request fields. A request that uses one of them is refused with the correct name. Don't add names that clients send
 * for their own purposes. Spellings that differ by case, separators or a typing error need no entry.
 */
export const otherFieldNames: Readonly<Record<string, readonly string[]>> = {
  colors: ["colour", "colours", "palette"],
  cursor: ["page_token", "next_cursor", "after", "offset", "page"],
  filter: ["where", "metadata_filter", "filter_by"],
  id: ["doc_id", "document_id", "external_id"],
  include_tool_events: ["tool_events", "include_tools", "with_tools"],
  limit: ["max_results", "max_items", "top_k", "top_n", "per_page", "page_size", "count", "num_results", "n_results"],
  max_results: [
    "limit",
    "top_k",
    "top_n",
    "k",
    "num_results",
    "n_results",
    "max_hits",
    "page_size",
    "per_page",
    "count",
  ],
  min_score: ["threshold", "score_threshold", "similarity_threshold", "min_similarity", "min_relevance"],
  message: ["question", "query", "q", "prompt", "text", "input"],
  metadata: ["meta", "custom_metadata", "attributes"],
  namespace: ["ns", "collection", "collection_name", "knowledge_base"],
  on_conflict: ["if_exists", "on_duplicate", "overwrite", "upsert", "replace"],
  offset: ["last_event_id"],
  parameters: ["input_schema"],
  particleCount: ["particles", "particle_number"],
  document_id: ["id", "doc_id"],
  question: ["query", "q", "prompt", "message", "text", "input"],
  query: ["q", "question", "search_query", "search_term", "search", "prompt", "message", "text", "input"],
  sources: ["documents", "docs", "items"],
  timeframe: ["time_range", "date_range", "time_window", "time_period"],
  tool_params: ["tool_parameters", "tool_args", "tool_arguments"],
  tz: ["timezone"],
  value: ["content", "text", "url", "body"],
};

/** Other names that count as a field only if that field is missing: platforms send both for their own purposes. */
export const namesOfMissingFields: Readonly<Record<string, readonly string[]>> = {
  messages: ["question", "query", "q", "prompt", "text", "input"],
  content: ["text", "message", "body"],
};

/**
 * Names that clients send for their own purposes, although they resemble one of our fields: `turn_id` resembles `run_id`. OpenRouter
 * clients send `models`, text-generation-webui clients send `mode`, which resemble `model`.
 */
export const unrelatedFieldNames: readonly string[] = ["_id", "context", "mode", "models", "turn_id", "turnId"];
