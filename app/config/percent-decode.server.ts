/** Decodes percent-encoding; a text with a `%` that isn't any stands for itself. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
