import { Temporal } from "temporal-polyfill";

/** An invented launch. `featuredAt` is ISO 8601. */
export interface SampleLaunch {
  id: string;
  slug: string;
  name: string;
  tagline: string;
  description: string;
  topics: string[];
  votesCount: number;
  commentsCount: number;
  featuredAt: string;
}

type Sketch = [name: string, tagline: string, topics: string[], votes: number];

const launchDayTimezone = "America/Los_Angeles";

// Days before today, and hours of that day. Today and yesterday have launches at all times of day, so that both have some in any timezone.
const schedule: [daysAgo: number, hour: number][] = [
  ...[0, 4, 8, 12, 16, 20].map((hour): [number, number] => [0, hour]),
  ...[0, 4, 8, 12, 16, 20].map((hour): [number, number] => [1, hour]),
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((day): [number, number] => [day, 0]),
  ...[16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58, 61].map((day): [number, number] => [day, 0]),
];

const sketches: Sketch[] = [
  ["Pebblecast", "Turn meeting notes into short podcasts", ["Podcasts", "Productivity", "AI"], 412],
  ["Lanternfish", "A night mode for your whole desk", ["Hardware", "Wellness"], 187],
  ["Quillbasket", "Collect quotes from everything you read", ["Notes", "Reading"], 266],
  ["Plumtrack", "Habits drawn as an orchard", ["Habits", "Wellness"], 310],
  ["Mossgrid", "Spreadsheets that water your plants", ["Spreadsheets", "Home"], 98],
  ["Fernpost", "Email newsletters written like letters", ["Email", "Marketing"], 154],
  ["Inkotter", "A Markdown editor that never loses a word", ["Writing", "Markdown"], 523],
  ["Brasskite", "Uptime monitoring with calm alerts", ["Developer Tools", "Monitoring"], 377],
  ["Nimbuspan", "Recipes from what your fridge holds", ["Food", "AI"], 298],
  ["Cobblewire", "Connect any two APIs with one sentence", ["APIs", "Automation", "AI"], 611],
  ["Sprigbook", "Bookkeeping for very small companies", ["Finance", "Accounting"], 143],
  ["Hushbell", "A focus timer that mutes the world", ["Focus", "Time Tracking"], 205],
  ["Marblemap", "Draw a road map, share a link", ["Product Management", "Road Maps"], 332],
  ["Otterline", "Customer support chat without tickets", ["Customer Support", "Chat"], 289],
  ["Parsnip Sheets", "Forms that end up in the right cells", ["Forms", "Spreadsheets"], 176],
  ["Dewdrop Vault", "A password manager for families", ["Security", "Passwords"], 458],
  ["Kettlelog", "Read your logs over a cup of tea", ["Developer Tools", "Logs"], 231],
  ["Wickerpay", "Invoices that remind by themselves", ["Invoices", "Payments"], 365],
  ["Gravelcode", "Code review in plain words", ["Developer Tools", "AI"], 702],
  ["Thimblebot", "Small automations for big inboxes", ["Email", "Automation"], 219],
  ["Saddlecast", "Weather for cyclists, street by street", ["Weather", "Maps"], 264],
  ["Tidyhound", "Time tracking that fetches your hours by itself", ["Time Tracking", "Productivity"], 341],
  ["Flintdeck", "Slides from an outline, nothing else", ["Presentations", "Writing"], 287],
  ["Burrowdoc", "Search all documents of your team at once", ["Search", "Documents", "AI"], 549],
  ["Willowcall", "Video calls with a quiet waiting room", ["Video", "Remote Work"], 194],
  ["Copperpad", "A shared whiteboard for remote work", ["Design", "Remote Work"], 428],
  ["Teasel", "A design system that explains itself", ["Design", "Developer Tools"], 376],
  ["Rookmill", "Chess lessons from your own games", ["Games", "Education"], 253],
  ["Lumenstitch", "Photo books that lay themselves out", ["Photos", "Printing"], 168],
  ["Harborlist", "Packing lists for people who forget", ["Travel", "Lists"], 137],
  ["Bramblefin", "Budgets for people who dislike budgets", ["Finance", "Budgets"], 391],
  ["Stonepigeon", "Messages that arrive when work begins", ["Chat", "Remote Work"], 226],
  ["Velvetquery", "Ask your database in your own language", ["Databases", "AI"], 834],
  ["Acornsign", "Sign documents without an account", ["Documents", "Signatures"], 303],
  ["Driftclock", "Meetings across time zones without sums", ["Calendars", "Time Zones"], 445],
  ["Candlejar", "A diary that only you can read", ["Privacy", "Writing"], 272],
  ["Mintroute", "Plan walks with the best shade", ["Maps", "Wellness"], 115],
  ["Tallowtype", "Open fonts for tired eyes", ["Fonts", "Accessibility"], 244],
  ["Reedswitch", "Smart home rules as a flow chart", ["Home", "Automation"], 358],
  ["Oakpress", "A static site builder for shy writers", ["Web Sites", "Writing"], 486],
];

/** The sample launches published by the given time: some of today, yesterday, each day of the last two weeks, and two months back. */
export function buildLaunches(now: Date): SampleLaunch[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(launchDayTimezone)
    .toPlainDate();
  return sketches
    .map(([name, tagline, topics, votesCount], index) => {
      const [daysAgo, hour] = schedule[index] ?? [index, 0];
      const day = today.subtract({ days: daysAgo }).toZonedDateTime(launchDayTimezone);
      const slug = `${name.toLowerCase().replaceAll(" ", "-")}-sample`;
      return {
        id: `sample-${index + 1}`,
        slug,
        name: `${name} (sample)`,
        tagline: `${tagline} (sample)`,
        description: `An invented product, shown because no listing site is configured. ${tagline}.`,
        topics,
        votesCount,
        commentsCount: Math.round(votesCount / 9),
        featuredAt: day.add({ hours: hour }).toInstant().toString({ smallestUnit: "second" }),
      };
    })
    .filter((launch) => Date.parse(launch.featuredAt) <= now.getTime());
}
