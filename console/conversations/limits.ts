/** Maximum number of conversations kept for each agent. The oldest are deleted first. */
export const maxConversationsPerAgent = 500;

/** Maximum size of one conversation that is kept, as characters of its JSON. */
export const maxConversationLength = 8_000_000;

/** Maximum number of saved conversations that a tab keeps in memory. */
export const maxLiveConversations = 20;

/** How long a deletion can be undone, in milliseconds. */
export const undoTimeMs = 10_000;

/** What keeps a conversation from being kept, in words for the user. */
export const storageProblems = {
  unavailable:
    "This browser doesn't let the page keep chats (private windows often don't). They are gone when the page is closed: export what you need.",
  full: "The browser has no room left, so this chat isn't kept. Delete chats you no longer need, or export this one.",
  tooLong: `This chat is longer than ${maxConversationLength / 1_000_000} MB, so what is new in it isn't kept. Export it, or start a new chat.`,
};
