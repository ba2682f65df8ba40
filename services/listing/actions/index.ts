import type { Action } from "./action.ts";
import { advice } from "./advice.ts";
import { confetti } from "./confetti.ts";
import { search } from "./search.ts";
import { top } from "./top.ts";
import { topTimeframe } from "./top-timeframe.ts";

/**
 * Everything the agent can do. To add one: name it and its payload in the contract, write its file here, add it to this list,
 * and give routing some examples. Routes, MCP tools and the agent follow.
 */
export const actions: readonly Action[] = [top, topTimeframe, search, confetti, advice];
