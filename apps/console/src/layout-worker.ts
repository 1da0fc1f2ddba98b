/** A worker, so that the page remains responsive. */
import "./jitless.ts";
import { layOut } from "./graph-layout.ts";
import { LayoutRequest } from "./graph-layout-shape.ts";

addEventListener("message", ({ data }) => {
  postMessage(layOut(LayoutRequest.parse(data)));
});
