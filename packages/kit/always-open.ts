/** Whether an address is answered to everybody and at any time: it tells whether the service lives, or is ready. */
export const isAlwaysOpen = (url: string): boolean => /^\/(?:health|ready)\/?(?:\?|$)/i.test(url);
