// G-code as the layers that it draws: where filament is laid, in millimetres.

const ARC_STEP = 0.5;
const SAME_LAYER = 0.05; // a spiral rises all the time
const LAYER_COMMENT = /^;\s?(LAYER:\s*-?\d|LAYER_CHANGE\b|CHANGE_LAYER\b|BEGIN_LAYER_OBJECT|layer \d+,)/i;
const INCH = 25.4;

/** Reads G-code piece by piece; `layers` grows meanwhile: each its height, and its lines as x, y, x, y. */
export class LayerReader {
  /** @type {{z: number, lines: number[]}[]} */
  layers = [];
  bounds = { left: Infinity, front: Infinity, right: -Infinity, back: -Infinity };
  #rest = "";
  /** @type {Record<string, number>} */
  #at = { X: 0, Y: 0, Z: 0, E: 0 };
  #absolute = true;
  #absoluteE = true;
  #unit = 1;
  #comments = 0;
  #next = false;

  /** @param {string} text */
  feed(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    lines.forEach((line) => this.#line(line));
  }

  end() {
    this.#line(this.#rest);
    this.#rest = "";
  }

  /** @param {any} line */
  #line(line) {
    if (line.startsWith(";")) {
      if (LAYER_COMMENT.test(line)) {
        this.#comments++;
        this.#next = true;
      }
      return;
    }
    /** @type {Record<string, number>} */
    const words = {};
    let command = "";
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i) & 0xdf; // of letters the capital
      const sign = line[i];
      if (sign === ";" || sign === "*" || sign === "(") {
        break;
      }
      if (code >= 65 && code <= 90) {
        const letter = String.fromCharCode(code);
        let end = i + 1;
        while (end < line.length && " +-.0123456789".includes(line[end])) {
          end++;
        }
        const number = Number.parseFloat(line.slice(i + 1, end));
        if (!command && (letter === "G" || letter === "M" || letter === "T")) {
          command = letter + number;
        } else if (command || letter !== "N") {
          words[letter] = number;
        }
        i = end - 1;
      }
    }
    this.#obey(command, words);
  }

  /**
   * @param {any} command
   * @param {any} words
   */
  #obey(command, words) {
    switch (command) {
      case "G0":
      case "G1":
      case "G2":
      case "G3":
        this.#move(words, command === "G2" ? -1 : command === "G3" ? 1 : 0);
        break;
      case "G20":
        this.#unit = INCH;
        break;
      case "G21":
        this.#unit = 1;
        break;
      case "G28":
        for (const axis of ["X", "Y", "Z"]) {
          if (axis in words || !("X" in words || "Y" in words || "Z" in words)) {
            this.#at[axis] = 0;
          }
        }
        break;
      case "G90":
      case "G91":
        this.#absolute = command === "G90";
        break;
      case "M82":
      case "M83":
        this.#absoluteE = command === "M82";
        break;
      case "G92":
        for (const axis of ["X", "Y", "Z", "E"]) {
          if (Number.isFinite(words[axis])) {
            this.#at[axis] = words[axis] * this.#unit;
          }
        }
        break;
      default:
    }
  }

  /**
   * @param {any} words
   * @param {any} turn
   */
  #move(words, turn) {
    const from = { ...this.#at };
    for (const axis of ["X", "Y", "Z", "E"]) {
      if (Number.isFinite(words[axis])) {
        const value = words[axis] * this.#unit;
        this.#at[axis] = (axis === "E" ? this.#absoluteE : this.#absolute) ? value : from[axis] + value;
      }
    }
    const to = this.#at;
    const moved = to.X !== from.X || to.Y !== from.Y || (turn && ("I" in words || "J" in words));
    if (to.E <= from.E || !moved) {
      return;
    }
    const { lines } = this.#layer(to.Z);
    if (turn) {
      this.#arc(lines, from, to, words, turn);
    } else {
      this.#draw(lines, from.X, from.Y, to.X, to.Y);
    }
  }

  /**
   * By the comments of slicers where there are any, else by the height. What is laid before the first counts to it.
   * @param {any} z
   */
  #layer(z) {
    const last = this.layers.at(-1);
    const near = last && Math.abs(last.z - z) < SAME_LAYER;
    const begins = !last || (this.#comments ? this.#next && !(this.#comments === 1 && near) : !near);
    this.#next = false;
    if (begins) {
      this.layers.push({ z, lines: [] });
    }
    return /** @type {{ z: number, lines: number[] }} */ (this.layers.at(-1));
  }

  /**
   * @param {any} lines
   * @param {any} x0
   * @param {any} y0
   * @param {any} x1
   * @param {any} y1
   */
  #draw(lines, x0, y0, x1, y1) {
    lines.push(x0, y0, x1, y1);
    const { bounds } = this;
    bounds.left = Math.min(bounds.left, x0, x1);
    bounds.right = Math.max(bounds.right, x0, x1);
    bounds.front = Math.min(bounds.front, y0, y1);
    bounds.back = Math.max(bounds.back, y0, y1);
  }

  /**
   * @param {any} lines
   * @param {any} from
   * @param {any} to
   * @param {any} words
   * @param {any} turn
   */
  #arc(lines, from, to, words, turn) {
    let [i, j] = [(words.I ?? 0) * this.#unit, (words.J ?? 0) * this.#unit];
    if ("R" in words) {
      const [dx, dy] = [to.X - from.X, to.Y - from.Y];
      const half = Math.hypot(dx, dy) / 2;
      const radius = words.R * this.#unit;
      const height = Math.sqrt(Math.max(0, radius * radius - half * half)) * Math.sign(radius) * turn;
      i = dx / 2 - (dy / (2 * half)) * height;
      j = dy / 2 + (dx / (2 * half)) * height;
    }
    const [x, y] = [from.X + i, from.Y + j];
    const radius = Math.hypot(i, j);
    const begin = Math.atan2(-j, -i);
    let sweep = Math.atan2(to.Y - y, to.X - x) - begin;
    if (turn > 0 && sweep <= 1e-9) {
      sweep += 2 * Math.PI;
    } else if (turn < 0 && sweep >= -1e-9) {
      sweep -= 2 * Math.PI;
    }
    const steps = Math.min(360, Math.max(2, Math.ceil((Math.abs(sweep) * radius) / ARC_STEP)));
    let [lastX, lastY] = [from.X, from.Y];
    for (let step = 1; step <= steps; step++) {
      const angle = begin + (sweep * step) / steps;
      const [nextX, nextY] = step === steps ? [to.X, to.Y] : [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      this.#draw(lines, lastX, lastY, nextX, nextY);
      [lastX, lastY] = [nextX, nextY];
    }
  }
}
