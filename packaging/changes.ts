/** The part of CHANGELOG.md about one version. Throws if there is none. */
export const changesOf = (changelog: string, version: string): string => {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.split("\n", 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no part "## ${version}"`);
  return `## ${section.trimEnd()}\n`;
};
