import type { ListingAction } from "@agent-backends/contract";
import type { Action, ActionKind, ToolAction } from "./action.ts";
import { advice } from "./advice.ts";
import { confetti } from "./confetti.ts";
import { search } from "./search.ts";
import { top } from "./top.ts";
import { topTimeframe } from "./top-timeframe.ts";

/** The actions that call a tool. Routes, MCP tools and their tests are built from this list. */
export const toolActions: readonly ToolAction[] = [top, topTimeframe, search, confetti];

/** All actions of the agent, advice last. */
export const actions: readonly Action[] = [...toolActions, advice];

const byName = new Map(actions.map((action) => [action.name, action]));

export function getAction(name: ListingAction): Action {
  const action = byName.get(name);
  if (action === undefined) throw new Error(`actions/index.ts has no action named ${name}`);
  return action;
}

export const isKind = (kind: ActionKind, { action }: { action: ListingAction }): boolean =>
  getAction(action).kind === kind;

/** The ranking of a time, or of all time. */
export const toRanking = (timeframe: string | undefined): ListingAction =>
  timeframe === undefined ? top.name : topTimeframe.name;
