import type { Action } from "./action.ts";
import { advice } from "./advice.ts";
import { confetti } from "./confetti.ts";
import { search } from "./search.ts";
import { top } from "./top.ts";
import { topTimeframe } from "./top-timeframe.ts";

/** Everything the agent can do. Routes, MCP tools, the agent and their tests follow this list. */
export const actions: readonly Action[] = [top, topTimeframe, search, confetti, advice];
