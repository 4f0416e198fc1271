/** The reason why one field of a request was rejected. `detail` continues the field's name: `co2` `is missing`. */
export interface FieldError {
  field: string;
  detail: string;
}

/** Returns the reason for a refusal in one line, with its first invalid field. */
export function reasonInOneLine({
  detail,
  errors: [first] = [],
}: {
  detail: string;
  errors?: FieldError[];
}): string {
  return first ? `${detail} ${first.field} ${first.detail}` : detail;
}
