import { expect, test } from "vitest";
import { parseNoProxy } from "./no-proxy.ts";

test.each([
  ["*", "https://api.openai.com", true],
  ["intern.corp", "http://intern.corp", true],
  ["intern.corp", "http://wiki.intern.corp", true],
  ["intern.corp", "http://notintern.corp", false],
  [".intern.corp", "http://wiki.intern.corp", true],
  [".intern.corp", "http://intern.corp", true],
  ["*.intern.corp", "http://wiki.intern.corp", true],
  ["Intern.Corp.", "http://INTERN.corp./", true],
  ["münchen.corp", "http://xn--mnchen-3ya.corp", true],
  ["intern.corp:8080", "http://intern.corp:8080", true],
  ["intern.corp:8080", "http://intern.corp", false],
  ["intern.corp:443", "https://intern.corp", true],
  ["intern.corp:443", "http://intern.corp", false],
  ["a.corp,b.corp c.corp", "http://c.corp", true],
  ["a.corp, b.corp", "http://c.corp", false],
  ["10.1.2.3", "http://10.1.2.3:9000", true],
  ["10.1.2.3:80", "http://10.1.2.3:9000", false],
  ["10.1.2.3", "http://110.1.2.3", false],
  ["10.0.0.0/8", "http://10.200.0.1", true],
  ["10.0.0.0/8", "http://11.0.0.1", false],
  ["10.0.0.0/8", "http://10.example.com", false],
  ["fd00::/8", "http://[fd12::1]", true],
  ["fd00::1", "http://[fd00:0::1]:8080", true],
  ["[fd00::1]:8080", "http://[fd00::1]:8080", true],
  ["[fd00::1]:8080", "http://[fd00::1]", false],
])("NO_PROXY=%s for %s: %s", (list, url, isBypassed) => {
  expect(parseNoProxy(list)(new URL(url))).toBe(isBypassed);
});

test.each(["http://intern.corp", "10.0.0.0/33", "10.0.0/8", "a.corp;b.corp", "user@intern.corp", "intern.corp:port"])(
  "%s is no entry of NO_PROXY",
  (entry) => {
    expect(() => parseNoProxy(`localhost,${entry}`)).toThrow(entry);
  },
);
