/** Texts in the sources link to pages from the root of the repository. */
export const fromReference = (text: string): string =>
  text.replaceAll("](docs/reference/", "](").replaceAll("](docs/", "](../");
