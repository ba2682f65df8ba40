/** Stands in a text for what has been read already. */
export const blank = "\ue000";
