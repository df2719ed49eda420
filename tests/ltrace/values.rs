// Calls with objects of Rust's standard library as arguments and results.
#[no_mangle]
#[inline(never)]
pub fn take_str(text: &str) -> usize {
    text.len()
}
#[no_mangle]
#[inline(never)]
pub fn take_string(text: String, number: usize) -> usize {
    text.len() + number
}
#[no_mangle]
#[inline(never)]
pub fn take_vec(list: &Vec<i32>) -> usize {
    list.len()
}
#[no_mangle]
#[inline(never)]
pub fn take_slice(list: &[i32]) -> usize {
    list.len()
}
#[no_mangle]
#[inline(never)]
pub fn take_real(number: f64) -> f64 {
    number * 2.0
}
#[no_mangle]
#[inline(never)]
pub fn take_nothing() -> String {
    "given".to_string()
}
/// Named as a string, and none.
pub mod other {
    pub struct String {
        pub numbers: Vec<i32>,
    }
    pub struct StringList {
        pub numbers: Vec<i32>,
    }
}
#[no_mangle]
#[inline(never)]
pub fn take_other(text: &other::String) -> usize {
    text.numbers.len()
}
#[no_mangle]
#[inline(never)]
pub fn take_list(list: &other::StringList) -> usize {
    list.numbers.len()
}
#[no_mangle]
#[inline(never)]
pub fn take_empties(list: &Vec<()>) -> usize {
    list.len()
}
/// Small objects: Rust has registers of its own for them.
pub struct Pair {
    a: u32,
    nothing: std::marker::PhantomData<u64>,
    b: u8,
}
pub struct Reals(f32, f32);
pub struct Triple {
    a: u32,
    b: u32,
    c: u32,
}
#[no_mangle]
#[inline(never)]
pub fn take_pair(pair: Pair, number: u32) -> u32 {
    pair.a + pair.b as u32 + number
}
#[no_mangle]
#[inline(never)]
pub fn take_reals(pair: Reals, number: u32) -> u32 {
    (pair.0 + pair.1) as u32 + number
}
#[no_mangle]
#[inline(never)]
pub fn take_wide(pair: (i64, u8), number: u32) -> u32 {
    pair.0 as u32 + pair.1 as u32 + number
}
#[no_mangle]
#[inline(never)]
pub fn take_triple(triple: Triple, number: u32) -> u32 {
    triple.a + triple.b + triple.c + number
}
#[no_mangle]
#[inline(never)]
pub fn take_shorts(shorts: (u16, u16, u16), number: u32) -> u32 {
    shorts.0 as u32 + shorts.2 as u32 + number
}
#[no_mangle]
#[inline(never)]
pub fn take_number(number: u32) -> Pair {
    Pair { a: number, nothing: std::marker::PhantomData, b: 2 }
}
#[no_mangle]
#[inline(never)]
pub fn take_option(number: u32, option: Option<u32>, other: u32) -> u32 {
    number + option.unwrap_or(0) + other
}
#[no_mangle]
#[inline(never)]
pub fn take_reference(option: Option<&u32>, number: u32) -> u32 {
    option.unwrap_or(&0) + number
}

fn main() {
    take_str("a str");
    take_string("a string".to_string(), 7);
    take_vec(&vec![1, 2, 3]);
    take_vec(&Vec::new());
    take_slice(&[4, 5, 6, 7, 8]);
    take_real(1.5);
    take_nothing();
    take_other(&other::String { numbers: vec![1, 2] });
    take_list(&other::StringList { numbers: vec![3] });
    take_empties(&vec![(), ()]);
    let nothing = std::marker::PhantomData;
    take_pair(Pair { a: 1, nothing, b: 2 }, 3);
    take_reals(Reals(1.5, 2.5), 4);
    take_wide((5, 6), 7);
    take_triple(Triple { a: 1, b: 2, c: 3 }, 4);
    take_shorts((1, 2, 3), 4);
    take_number(9);
    take_option(1, Some(2), 3);
    take_reference(None, 4);
    std::process::exit(7);
}
