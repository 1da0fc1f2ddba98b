/** Lays graphs out beside the page, so that the page stays quick. */
import "./jitless.ts";
import { layOut } from "./graph-layout.ts";
import { LayoutRequest } from "./graph-layout-shape.ts";

addEventListener("message", ({ data }) => {
  postMessage(layOut(LayoutRequest.parse(data)));
});
