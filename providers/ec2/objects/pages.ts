import { orMissing } from "../account.ts";

interface Page {
  readonly NextToken?: string | undefined;
}

export const allPages = async <Found extends Page>(
  ask: (next: Page) => Promise<Found>,
): Promise<readonly Found[]> => {
  const pages: Found[] = [];
  let next: Page | null = {};
  while (next !== null) {
    const page: Found | null = await orMissing(ask(next));
    if (page !== null) pages.push(page);
    next = page?.NextToken ? { NextToken: page.NextToken } : null;
  }
  return pages;
};
