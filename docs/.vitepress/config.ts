/**
 * The site of the documents. The pages stay readable as plain Markdown, so only the site knows an
 * order and a search. Links that leave the folder `docs` become texts.
 */
import { dirname, join, normalize } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { withMermaid } from "vitepress-plugin-mermaid";

/** A file below `docs` that is no page, and the folder of the decisions. */
const NO_PAGE = /\.ya?ml$|^adr\/?$/;

/** `page` and `target` are paths; a target with a scheme or an anchor alone stays in the site. */
const leavesSite = (page: string, target: string): boolean => {
  if (/^(?:[a-z]+:|#|$)/.test(target)) return false;
  const path = normalize(join(dirname(page), target.replace(/#.*/, "")));
  return path.startsWith("..") || NO_PAGE.test(path);
};

/** Links to code become texts: the site stands without the repository. */
const unlinkCode = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("unlink-code", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOut = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          isOut = leavesSite(env.relativePath, token.attrGet("href") ?? "");
        }
        if (isOut && token.type.startsWith("link_")) {
          Object.assign(token, { type: "text", tag: "", content: "", nesting: 0, attrs: null });
        }
      }
    }
  });
};

const page = (text: string, link: string) => ({ text, link });

export default withMermaid({
  title: "Hearth",
  description: "Stacks of resources and the software on their servers, from HOT templates",
  cleanUrls: true,
  rewrites: { "start.md": "index.md" },
  ignoreDeadLinks: false,
  markdown: { html: false, config: unlinkCode },
  themeConfig: {
    search: { provider: "local" },
    outline: "deep",
    sidebar: [
      {
        text: "Begin",
        items: [
          page("Start", "/"),
          page("Concepts", "/concepts"),
          // No page of the site, but a program of its own.
          { ...page("Playground", "/playground/index.html"), target: "_self" },
          page("Tutorial", "/tutorial"),
          page("Moving here", "/moving"),
          page("Beside others", "/comparison"),
        ],
      },
      {
        text: "How to",
        items: [
          page("Bring your templates", "/bring-your-templates"),
          page("Run on Docker", "/run-on-docker"),
          page("Run on OpenStack", "/run-on-openstack"),
          page("Run on machines you have", "/run-on-machines"),
          page("Run on AWS", "/run-on-aws-types"),
          page("A host for others", "/host"),
          page("A service", "/service"),
          page("Upgrade, back up, restore", "/data-folder"),
          page("Deployments that hang", "/deployments"),
          page("The console", "/console"),
          page("Operations on AWS", "/operations"),
          page("Write a provider", "/write-a-provider"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Command line", "/cli"),
          page("Templates", "/templates"),
          page("Functions and types", "/reference/README"),
          page("Compatibility and limits", "/compatibility"),
          page("Tables and cost on AWS", "/aws"),
        ],
      },
      {
        text: "Inside",
        items: [
          page("Convergence", "/convergence"),
          page("Its reference", "/convergence-reference"),
          page("Architecture", "/architecture"),
          page("Threat model", "/security"),
          page("Performance", "/performance"),
          page("Corrections", "/corrections"),
        ],
      },
    ],
  },
});
