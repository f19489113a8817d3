// What the console uses of the modules that it did not write.
declare module "preact" {
  export interface VNode {}
  export type Child = VNode | string | number | boolean | null | undefined | Child[];
  export function h(type: unknown, props: object | null, ...children: Child[]): VNode;
  export function render(node: Child, parent: Element): void;
  export const Fragment: unknown;
}

declare module "preact/hooks" {
  type Effect = () => unknown;
  interface Ref<T> {
    current: T;
  }
  // What begins as nothing or empty can become anything.
  export function useState(first: null | undefined | never[]): [any, (next: any) => void];
  export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
  export function useEffect(effect: Effect, inputs?: unknown[]): void;
  export function useLayoutEffect(effect: Effect, inputs?: unknown[]): void;
  export function useMemo<T>(make: () => T, inputs: unknown[]): T;
  export function useCallback<T>(callback: T, inputs: unknown[]): T;
  export function useRef(first?: null): Ref<any>;
  export function useRef<T>(first: T): Ref<T>;
}

declare module "htm" {
  type Value = string | number | boolean | null | undefined | object | ((argument: any, ...more: any[]) => unknown);
  const htm: { bind(h: unknown): (strings: TemplateStringsArray, ...values: Value[]) => any };
  export default htm;
}

declare module "@preact/signals" {
  export interface ReadonlySignal<T> {
    readonly value: T;
    peek(): T;
  }
  export interface Signal<T> extends ReadonlySignal<T> {
    value: T;
  }
  // What begins as nothing or empty can become anything.
  export function signal(first?: null | never[]): Signal<any>;
  export function signal<T>(first: T): Signal<T>;
  export function computed<T>(compute: () => T): ReadonlySignal<T>;
  export function effect(run: () => unknown): () => void;
  export function batch<T>(run: () => T): T;
  export function untracked<T>(run: () => T): T;
  export function useSignal(first?: null | never[]): Signal<any>;
  export function useSignal<T>(first: T): Signal<T>;
  export function useComputed<T>(compute: () => T): ReadonlySignal<T>;
  export function useSignalEffect(run: () => unknown): void;
}

declare module "three";
declare module "three/addons/controls/OrbitControls.js";
declare module "three/addons/loaders/STLLoader.js";
declare module "uplot";
declare module "lean-qr";
