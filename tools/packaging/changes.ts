/** Returns the section of CHANGELOG.md about one version, or throws when there is none. */
export const changesOf = (changelog: string, version: string): string => {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no part "## ${version}"`);
  return `## ${section.trimEnd()}\n`;
};
