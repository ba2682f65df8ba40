import type { Action } from "./action.ts";
import { advice } from "./advice.ts";
import { confetti } from "./confetti.ts";
import { search } from "./search.ts";
import { top } from "./top.ts";
import { topTimeframe } from "./top-timeframe.ts";

/** All actions of the agent. Routes, MCP tools, the agent and their tests are built from this list. */
export const actions: readonly Action[] = [top, topTimeframe, search, confetti, advice];
