/**
 * Replaces `@kurkle/color` in the scripts of pages (vite.config.ts). Chart.js uses it to darken the colour of what is
 * pointed at, and to animate colours. Here markers keep the colour of their line, which is tested for its contrast, and
 * nothing is animated.
 */
export class Color {
  /** Chart.js mixes only valid colours. */
  readonly valid = false;

  constructor(private readonly color: string) {}

  saturate(): this {
    return this;
  }

  darken(): this {
    return this;
  }

  hexString(): string {
    return this.color;
  }
}
