import { useState } from "react";
import { useConnections } from "../connections/context.ts";
import { searchDocuments } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";
import type { OpenChunk } from "../knowledge/open-chunk.ts";
import { useResource } from "../stream/use-resource.ts";
import { SearchResults } from "./SearchResults.tsx";

/** Search by meaning and by words in a namespace. */
export function SearchDocuments({
  namespace,
  onOpen,
}: {
  namespace: string;
  onOpen: (chunks: OpenChunk[], first: number) => void;
}) {
  const { knowledge } = useConnections().connections;
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const { value, error, loading } = useResource(
    async (signal) => (query === "" ? undefined : searchDocuments(knowledge, namespace, query, signal)),
    [knowledge, namespace, query],
  );
  return (
    <section className="card search" aria-label="Search">
      <form
        className="row search-form"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(text.trim());
        }}
      >
        <input
          type="search"
          className="input"
          aria-label="Search the library"
          placeholder={`Search “${namespace}” by meaning`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === "") setQuery("");
          }}
        />
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
      {query !== "" && error && <Notice danger>{error.message}</Notice>}
      {query !== "" && !value && loading && <span className="skeleton" />}
      {query !== "" && value && <SearchResults response={value} busy={loading} onOpen={onOpen} />}
    </section>
  );
}
