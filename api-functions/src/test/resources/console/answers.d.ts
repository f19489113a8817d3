// What the API answers to a path, by its description, from which infra/check-console generates the module "gantry-api".
import type { components, paths } from "gantry-api";

/** The segments of a path, with "*" for each that is a value. */
type Pattern<P extends string> = P extends `${infer A}/${infer B}` ? `${Segment<A>}/${Pattern<B>}` : Segment<P>;
type Segment<S extends string> = string extends S ? "*" : S extends `{${string}}` ? "*" : S extends `${infer A}{${string}` ? `${A}*` : S;
type WithoutQuery<P extends string> = P extends `${infer A}?${string}` ? A : P;
type ByPattern = { [K in keyof paths & string as Pattern<K>]: paths[K] };

type Body<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 202)]> : never;
type Content<R> = R extends { content: { "application/json": infer T } } ? T : R extends { content: infer C } ? C[keyof C] : null;

/**
 * A response whose fields are all present. A field that the description calls optional or nullable is checked by its name and its type,
 * not for null: which fields a request leaves out depends on its parameters.
 */
export type Present<T> = unknown extends T
  ? any
  : T extends (infer U)[]
    ? Present<U>[]
    : T extends object
      ? { -readonly [K in keyof T]-?: Present<NonNullable<T[K]>> }
      : T;

/** A list, or a page of it, as its path asks for. */
type Listed<T, P extends string> = P extends `${string}meta=true${string}`
  ? Exclude<T, unknown[]>
  : [Extract<T, unknown[]>] extends [never]
    ? T
    : Extract<T, unknown[]>;

type Method = "get" | "post" | "patch" | "put" | "delete";
type ResponseOf<P, M extends Method = "get"> = P extends string
  ? string extends P
    ? any
    : Pattern<WithoutQuery<P>> extends keyof ByPattern
      ? Present<Listed<Body<ByPattern[Pattern<WithoutQuery<P>>][M & keyof ByPattern[Pattern<WithoutQuery<P>>]]>, P>>
      : any
  : never;

type Schema<K extends keyof components["schemas"]> = Present<components["schemas"][K]>;

/** The names in the braces of a text. */
type Names<T extends string> = T extends `${string}{${infer N}}${infer R}` ? N | Names<R> : never;

declare global {
  /** The values that a text needs, each by its name. */
  type Values<T extends string> = string extends T
    ? [values: Record<string, unknown>]
    : [Names<T>] extends [never]
      ? []
      : [values: Record<Names<T>, unknown>];
  type Printer = Schema<"Printer">;
  type PrinterState = Schema<"PrinterState">;
  type PrinterView = { printer: Printer; state: PrinterState | undefined; kind: string };
  type Job = Schema<"PrintJob">;
  type Part = Schema<"Part">;
  type Sku = Schema<"Sku">;
  type Order = Schema<"Order">;
  type OrderItem = Schema<"OrderItem">;
  type Spool = Schema<"MaterialInstance"> & { variant: any; material: any }; // with what it includes
  type Layout = Schema<"Layout">;
  type CostRates = Schema<"CostRates">;
  type Channel = Schema<"NotificationChannel">;
  /** Timers that were not started are not stopped. */
  function clearTimeout(timer: number | false | "" | null | undefined): void;
  function cancelAnimationFrame(frame: number | false): void;
  /** What is wrong with a field of a request. */
  type FieldFault = { path: string; code?: string; message: string };
  type Answer<P, M extends Method = "get"> = ResponseOf<P, M>;
}
