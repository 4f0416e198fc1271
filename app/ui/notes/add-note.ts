/** Links to `/history` with this hash open the form for a note. */
export const ADD_NOTE = '#add-note';
