import type { KeyboardEvent } from "react";

/** The code of a key that an input method has handled. Safari no longer reports `isComposing` for the Enter that ends a composition. */
const handledByInputMethod = 229;

/** Whether a key press sends the message: Enter without Shift, unless it confirms a character of an input method. */
export function sendsMessage({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && keyCode !== handledByInputMethod;
}
