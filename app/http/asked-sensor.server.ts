import type { AskedSensor } from '../readings/sensor';
import { canBeSensor, MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';

/**
 * Returns the sensor that a page is to show, as far as the request says it.
 *
 * @throws a 400 response for the error page if no sensor can have the name in the address
 */
export function askedSensor(request: Request): AskedSensor {
  const chosen = new URL(request.url).searchParams.get('sensor')?.trim();
  if (chosen === undefined) return { remembered: rememberedSensor(request.headers.get('Cookie') ?? '') };
  if (canBeSensor(chosen)) return { chosen };
  throw new Response(
    `No sensor has such a name. A name has at most ${MAX_NAME_CHARACTERS} characters, and no control characters.`,
    { status: 400, statusText: 'Unknown sensor' },
  );
}

/** Returns the sensor in a header `Cookie` (RFC 6265, section 4.2). One that can't be a name is ignored. */
function rememberedSensor(cookies: string): string | undefined {
  const value = /(?:^|;) *sensor=([^;]*)/.exec(cookies)?.[1];
  if (value === undefined) return undefined;
  try {
    const name = decodeURIComponent(value.trim());
    return canBeSensor(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
