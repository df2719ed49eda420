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
    std::process::exit(7);
}
