import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const style = readFileSync(new URL("../../../apps/console/src/style.css", import.meta.url), "utf8");

const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

const luminance = (name: string, scheme: Scheme): number => {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(style) ?? [];
  const digits = (scheme === "light" ? light : dark) ?? "";
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** As WCAG defines it: from 1, the same brightness, to 21. */
const contrast = (one: string, other: string, scheme: Scheme): number => {
  const [dark = 0, light = 0] = [luminance(one, scheme), luminance(other, scheme)].toSorted(
    (left, right) => left - right,
  );
  return (light + 0.05) / (dark + 0.05);
};

it.each(SCHEMES)("a button that deletes does not look like another one (%s)", (scheme) => {
  expect(contrast("accent", "bad", scheme)).toBeGreaterThan(2);
});

it.each(
  SCHEMES.flatMap((scheme) =>
    ["good", "busy", "bad", "warn", "quiet"].map((tone) => [tone, scheme] as const),
  ),
)("a %s status can be read (%s)", (tone, scheme) => {
  expect(contrast(tone, `${tone}-fill`, scheme)).toBeGreaterThan(4.5);
});
