/** Explains why one field of a request was rejected. `detail` reads on from the field's name: `co2` `is missing`. */
export interface FieldError {
  field: string;
  detail: string;
}
