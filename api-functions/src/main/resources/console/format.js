// Times, durations, amounts and counts as people read them: in the store's time zone and currency and the reader's locale.
import { t } from "./texts.js";

const READER = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const WEEK = 6 * 86_400_000;

let zone = READER;
let storeCurrency = "";

/**
 * Sets what all views format by; without a store, the reader's own time zone counts.
 * @param {any} store
 */
export function formatFor(store) {
  zone = store?.timezone ?? READER;
  storeCurrency = store?.currency ?? "";
  formats.clear();
}

const formats = new Map();

/**
 * A format of times, made once for it is slow to make.
 * @param {string} name
 * @param {any} options
 * @param {any} [timeZone]
 */
function format(name, options, timeZone = zone) {
  const key = `${name} ${timeZone}`;
  formats.has(key) || formats.set(key, new Intl.DateTimeFormat([], { ...options, timeZone }));
  return formats.get(key);
}

/** @type {Intl.DateTimeFormatOptions} */
const PARTS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};

/**
 * The date and time of day in a time zone, as the milliseconds that the same would be in UTC.
 * @param {Date} instant
 * @param {string} timeZone
 */
function wallTime(instant, timeZone) {
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", { ...PARTS, timeZone }).formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The name of the store's time zone where its clocks differ from the reader's, with a blank before it.
 * @param {Date} instant
 */
function zoneName(instant) {
  if (zone === READER || wallTime(instant, zone) === wallTime(instant, READER)) {
    return "";
  }
  const name = format("zone", { timeZoneName: "short" })
    .formatToParts(instant)
    .find((/** @type {any} */ { type }) => type === "timeZoneName")?.value;
  return name ? ` ${name}` : "";
}

/** @param {string | number | Date} instant */
const dayKey = (instant) => format("key", { dateStyle: "short" }).format(instant);

/**
 * The time of day without the name of its zone, for scales that name it once.
 * @param {string | number | Date} instant
 */
export const clock = (instant) => format("clock", { hour: "2-digit", minute: "2-digit" }).format(new Date(instant));

/**
 * The time of day.
 * @param {string | number | Date} instant
 */
export const timeOfDay = (instant) => clock(instant) + zoneName(new Date(instant));

/**
 * When it is, in few words: today's times without the day, those of the coming days by its name.
 * @param {string | number | Date} instant
 */
export function time(instant) {
  const at = new Date(instant);
  const ahead = at.getTime() - Date.now();
  if (dayKey(at) === dayKey(new Date())) {
    return timeOfDay(at);
  }
  const hours = { hour: "2-digit", minute: "2-digit" };
  const shown =
    ahead > 0 && ahead < WEEK
      ? format("weekday", { weekday: "short", ...hours })
      : format("date", { day: "numeric", month: "short", ...hours });
  return shown.format(at) + zoneName(at);
}

/**
 * The day and the time.
 * @param {string | number | Date} instant
 */
export const moment = (instant) =>
  format("moment", { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant)) + zoneName(new Date(instant));

/** @param {string | number | Date} instant */
export const day = (instant) => format("day", { dateStyle: "medium" }).format(new Date(instant));

/**
 * The value of a field for a date and a time, in the store's time zone.
 * @param {string | number | Date} instant
 */
export const toField = (instant) => new Date(wallTime(new Date(instant), zone)).toISOString().slice(0, 16);

/**
 * The instant of such a value. The offset of the time zone may change between the first guess and the time itself.
 * @param {any} value
 */
export function fromField(value) {
  const wanted = Date.parse(`${value}Z`);
  const guess = wanted - (wallTime(new Date(wanted), zone) - wanted);
  return new Date(guess + wanted - wallTime(new Date(guess), zone)).toISOString();
}

/** @param {number} seconds */
export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) {
    return t("< 1 min");
  }
  if (minutes < 60) {
    return t("{minutes} min", { minutes });
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${String(minutes % 60).padStart(2, "0")}` : `${Math.round(hours / 24)} d`;
}

/** @param {number} milliseconds */
export function ago(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : duration(seconds);
}

/** @param {any} value */
export const number = (value) => value.toLocaleString();

/**
 * A number with so many decimals.
 * @param {any} value
 * @param {number} digits
 */
export const decimals = (value, digits) => value.toLocaleString([], { minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * Grams, or kilograms from 1 kg.
 * @param {number} grams
 */
export const weight = (grams) => (grams >= 1000 ? `${decimals(grams / 1000, 1)} kg` : `${number(Math.round(grams))} g`);

/** Orders names as people count: Voron 2 before Voron 10. Made once: it is far faster than localeCompare. */
export const byName = new Intl.Collator(undefined, { numeric: true });

/**
 * Cents as money, in the store's currency unless another is given; an unknown amount is no price.
 * @param {number | null | undefined} cents
 * @param {string} [currency]
 */
export function money(cents, currency = storeCurrency) {
  if (cents === null || cents === undefined || Number.isNaN(cents)) {
    return t("no price");
  }
  return currency ? new Intl.NumberFormat([], { style: "currency", currency }).format(cents / 100) : decimals(cents / 100, 2);
}

/** The currency's code, for fields of amounts. */
export const currency = () => storeCurrency;
