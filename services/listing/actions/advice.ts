import type { Action } from "./action.ts";

/** The offline provider finds the points and the abilities by these tags. */
export const launchAdvice = `Give practical advice on launching a product, in at most eight short sentences or points. What experience says:
<advice>
- Preparation: say in one line what the product does and for whom; have the name, a tagline of at most 60 characters, a clean thumbnail, three or more gallery images or a short demo, and a first comment by the makers ready before the day.
- Timing: a launch day lasts from midnight to midnight in Pacific time; launching at its start gives the whole day. Weekdays bring more visitors and more rivals, weekends fewer of both.
- People: makers can launch by themselves; a hunter is not needed. Tell your own users, friends and communities in advance, and ask for feedback rather than for votes: asking for votes is against the rules of launch sites and is detected.
- The day: answer every comment soon, thank people, fix what they find, and share progress.
- Afterwards: write to those who signed up, turn feedback into a plan, judge the launch by users and what was learned rather than by rank.
</advice>`;

/** Answers with the model's text alone. */
export const advice: Action = {
  name: "advice",
  kind: "advice",
  ability: "advise on a launch",
  // Any command that no other action has.
  command: /^\/[a-z]/,
  concept: "tip",
  plan: () => undefined,
};
