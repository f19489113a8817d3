// A part in 3-D, to be turned by hand and by keys. Drawn when something moves, and not else.
import { useEffect, useRef, useState } from "preact/hooks";
import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import { html } from "./html.js";
import { decimals, number } from "./format.js";
import { addressOf, reason } from "./requests.js";
import { triangles } from "./model.js";
import { t } from "./texts.js";

const MAX_BYTES = 200_000_000;
const STEP = Math.PI / 18;
/** @type {Record<string, any>} */
const KEYS = {
  ArrowLeft: (/** @type {any} */ controls) => controls.rotateLeft(STEP),
  ArrowRight: (/** @type {any} */ controls) => controls.rotateLeft(-STEP),
  ArrowUp: (/** @type {any} */ controls) => controls.rotateUp(STEP),
  ArrowDown: (/** @type {any} */ controls) => controls.rotateUp(-STEP),
  "+": (/** @type {any} */ controls) => controls.dollyIn(1.2),
  "-": (/** @type {any} */ controls) => controls.dollyOut(1.2),
};

/** @param {string} uri */
async function geometryOf(uri) {
  const response = await fetch(await addressOf(uri));
  if (!response.ok) {
    throw new Error(t("The file could not be fetched: {status}", { status: response.status }));
  }
  if (Number(response.headers.get("content-length")) > MAX_BYTES) {
    throw new Error(t("The file is larger than {size} MB", { size: MAX_BYTES / 1e6 }));
  }
  const bytes = await response.arrayBuffer();
  const position = /\.stl$/i.test(uri)
    ? new STLLoader().parse(bytes).getAttribute("position")
    : new three.BufferAttribute(await triangles(bytes), 3);
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", position);
  geometry.computeVertexNormals(); // those of an STL are often none
  return geometry;
}

/**
 * Shows it on the canvas; answers how that ends.
 * @param {any} canvas
 * @param {any} geometry
 */
function show(canvas, geometry) {
  const renderer = new three.WebGLRenderer({ canvas, antialias: true, alpha: true });
  const style = getComputedStyle(canvas);
  const scene = new three.Scene();
  const camera = new three.PerspectiveCamera(35, 1, 0.1, 1);
  const { min, max } = geometry.boundingBox;
  const middle = max.clone().add(min).multiplyScalar(0.5);
  const radius = Math.max(1, max.distanceTo(min) / 2);
  const material = new three.MeshStandardMaterial({ color: style.color, roughness: 0.75, side: three.DoubleSide });
  const grid = new three.GridHelper(
    Math.ceil((radius * 4) / 10) * 10,
    Math.min(60, Math.ceil((radius * 4) / 10)),
    style.borderTopColor,
    style.borderTopColor,
  );
  const lamp = new three.DirectionalLight(0xffffff, 2);
  grid.rotation.x = Math.PI / 2;
  grid.position.set(middle.x, middle.y, min.z);
  lamp.position.set(-radius, radius, radius);
  camera.add(lamp);
  camera.up.set(0, 0, 1);
  camera.position.set(middle.x - radius * 1.6, middle.y - radius * 2.6, middle.z + radius * 1.9);
  camera.near = radius / 100;
  camera.far = radius * 40;
  scene.add(new three.Mesh(geometry, material), grid, camera, new three.HemisphereLight(0xffffff, 0x777777, 1.5));
  const controls = new OrbitControls(camera, canvas);
  controls.target.copy(middle);
  const draw = () => renderer.render(scene, camera);
  const fit = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  });
  const key = (/** @type {any} */ event) => {
    if (KEYS[event.key]) {
      event.preventDefault();
      KEYS[event.key](controls);
      controls.update();
    }
  };
  controls.addEventListener("change", draw);
  canvas.addEventListener("keydown", key);
  controls.update();
  fit.observe(canvas);
  return () => {
    fit.disconnect();
    canvas.removeEventListener("keydown", key);
    controls.dispose();
    geometry.dispose();
    material.dispose();
    grid.dispose();
    renderer.dispose();
    renderer.forceContextLoss();
  };
}

const able = () => Boolean(document.createElement("canvas").getContext("webgl2"));

/** @param {{ uri: string, fallback: any }} props */
export function Solid({ uri, fallback }) {
  const canvas = useRef(null);
  const [geometry, setGeometry] = useState(null);
  const [problem, setProblem] = useState(() =>
    able() ? "" : t("This browser cannot show 3-D (it has no WebGL); this is the part's picture."),
  );
  useEffect(() => {
    let gone = false;
    if (!problem) {
      geometryOf(uri)
        .then((found) => {
          found.computeBoundingBox();
          const empty = !found.getAttribute("position")?.count;
          gone || (empty ? setProblem(t("The file holds no solid.")) : setGeometry(found));
        })
        .catch((failure) => gone || setProblem(reason(failure)));
    }
    return () => (gone = true);
  }, [uri]);
  useEffect(() => (geometry ? show(canvas.current, geometry) : undefined), [geometry]);
  if (problem) {
    return html`<section class="look"><p role="alert">${problem}</p>${fallback}</section>`;
  }
  const size = geometry?.boundingBox.getSize(new three.Vector3());
  return html`<section class="look"><h2 class="hidden">${t("In 3-D")}</h2>
    <canvas ref=${canvas} tabindex="0" role="application" aria-label=${t("The part in 3-D: arrow keys turn it, plus and minus come nearer and go away")}></canvas>
    <div class="bar"><span role="status">${geometry ? t("{size} mm · {count} triangles", { size: [size.x, size.y, size.z].map((each) => decimals(each, 1)).join(" × "), count: number(geometry.getAttribute("position").count / 3) }) : t("Reading the model …")}</span>
      <span class="count">${t("Drag or use the arrow keys to turn it, scroll or + and − to come nearer")}</span></div></section>`;
}
