/** Characters that RTF has words and signs for, by their code points (RTF 1.9.1, "Special Characters"). */
const characters: Readonly<Record<string, number>> = {
  "~": 0xa0,
  _: 0x2011,
  emdash: 0x2014,
  endash: 0x2013,
  emspace: 0x2003,
  enspace: 0x2002,
  bullet: 0x2022,
};

/**
 * RTF with such characters as numbers, which officeparser reads, while it takes `\~` and `\_` for what they look like and
 * leaves the words out.
 */
export function withNumberedCharacters(bytes: Uint8Array): Uint8Array {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  // Binary data says how long it is, and is no text.
  if (/\\bin\d/.test(rtf)) return bytes;
  const numbered = rtf.replace(
    /\\(?:\\|([~_])|(emdash|endash|emspace|enspace|bullet)(?![a-z]) ?)/g,
    (whole, sign, word) => {
      const character = characters[sign ?? word];
      return character === undefined ? whole : `{\\uc0\\u${character} }`;
    },
  );
  return numbered === rtf ? bytes : Buffer.from(numbered, "latin1");
}
