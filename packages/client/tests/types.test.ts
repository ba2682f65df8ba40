import type * as client from "@agent-backends/client";
import type * as contract from "@agent-backends/contract";
import { expectTypeOf, test } from "vitest";

/** Both types accept each other's values. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;

test("the types of the package are those that the services answer with", () => {
  expectTypeOf<contract.SearchResponse>().toExtend<client.SearchResponse>();
  expectTypeOf<Same<client.GenerateResponse, contract.GenerateResponse>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ReplyEvent, contract.ReplyEvent>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ToolEvent, contract.ToolEvent>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.IngestResponse, contract.IngestResponse>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.Job, contract.Job>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.JobEvent, contract.JobEvent>>().toEqualTypeOf<true>();
  expectTypeOf<contract.DocumentResponse>().toExtend<client.DocumentResponse>();
  expectTypeOf<Same<client.DocumentsResponse, contract.DocumentsResponse>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ChunksResponse, contract.ChunksResponse>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.NamespacesResponse, contract.NamespacesResponse>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ListingEvent, contract.ListingEvent>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ContractEvent, contract.ContractEvent>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.AgUiEvent, contract.AgUiEvent>>().toEqualTypeOf<true>();
  expectTypeOf<Same<client.ProblemCode, contract.ProblemCode>>().toEqualTypeOf<true>();
});

test("what the services accept can be sent", () => {
  expectTypeOf<contract.SearchRequest>().toExtend<client.SearchRequest>();
  expectTypeOf<contract.GenerateRequest>().toExtend<client.GenerateRequest>();
  expectTypeOf<contract.ListingAgentRequest["messages"]>().toExtend<client.ListingAgentRequest["messages"]>();
});
