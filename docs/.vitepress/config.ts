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

/** The site takes no HTML from pages, so it would show their comments as texts. */
const hideComments = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("hide-comments", (state) => {
    const isComment = (at: number): boolean =>
      /^<!--.*-->$/s.test(state.tokens[at]?.content.trim() ?? "");
    state.tokens = state.tokens.filter((token, at) => {
      if (token.type === "paragraph_open") return !isComment(at + 1);
      if (token.type === "paragraph_close") return !isComment(at - 1);
      return token.type !== "inline" || !isComment(at);
    });
  });
};

/** A place of step mode leads to the playground, which needs no host. */
const linkSteps = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("link-steps", ({ tokens, Token }) => {
    for (const token of tokens) {
      if (token.children === null) continue;
      token.children = token.children.flatMap((child) => {
        if (child.type !== "code_inline" || !child.content.startsWith("/#/steps/")) return [child];
        const open = new Token("link_open", "a", 1);
        // No page of the site, but a program of its own.
        open.attrs = [
          ["href", `/playground/index.html${child.content.slice(1)}`],
          ["target", "_self"],
        ];
        return [open, child, new Token("link_close", "a", -1)];
      });
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
  markdown: {
    html: false,
    config: (markdown) => {
      hideComments(markdown);
      unlinkCode(markdown);
      linkSteps(markdown);
    },
  },
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
          page("A service, and is it well", "/service"),
          page("Upgrade, back up, restore", "/data-folder"),
          page("Versions that go together", "/versions"),
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
          page("All commands", "/reference/commands"),
          page("Error texts", "/symptoms"),
          page("Templates", "/templates"),
          page("Functions and types", "/reference/README"),
          page("Limits", "/reference/limits"),
          page("Settings on AWS", "/reference/settings"),
          page("Alarms on AWS", "/reference/alarms"),
          page("Compatibility", "/compatibility"),
          page("Tables and cost on AWS", "/aws"),
        ],
      },
      {
        text: "Inside",
        items: [
          page("Convergence", "/convergence"),
          page("Its rules", "/rules/README"),
          page("Architecture", "/architecture"),
          page("Threat model", "/security"),
          page("Performance", "/performance"),
          page("Corrections", "/corrections"),
        ],
      },
    ],
  },
});
