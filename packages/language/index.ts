export { analyze, analyzeQuestion, getContentTerms, getContentWords } from "./analyze.ts";
export { findArabicRoot, getArabicStems } from "./arabic.ts";
export { splitCompound } from "./compounds.ts";
export { detectLanguage, isVietnamese } from "./detect.ts";
export type { Language } from "./languages.ts";
export type { Range, TextUnit } from "./text-units.ts";
export { splitUnits } from "./text-units.ts";
export { fold, segmenter, splitPairs, splitWords, unspacedScript } from "./words.ts";
