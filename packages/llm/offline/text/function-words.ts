import { isVietnamese } from "@agent-backends/language";

/**
 * Function words, in their written form, of languages for which the search has no stop words. Vietnamese syllables without marks are left
 * out, because they are words of other languages.
 */
const functionWords = new Set(
  `của là được có không và các những một cho trong với để khi từ đã đang sẽ bị bởi về theo như này đó kia ấy đến tại ở ra
  vào lên xuống trên dưới nào gì ai đâu sao mấy bao nhiêu thế thì mà nhưng hay hoặc nếu vì nên cũng rất lại còn chỉ phải
  cần việc sự cái con chiếc tôi bạn họ chúng nó ông bà anh chị mình nhất hơn đây đấy vậy làm thể loại điều số lần giữa
  cùng nhau đều mỗi mọi vẫn rồi chưa sau trước qua bằng ngoài khoảng thuộc gọi tên
  का के की को में से है हैं था थी थे और या पर ने एक यह वह ये वे इस उस इन उन जो कि क्या कौन किस किसे किसने किसका किसकी किसके
  कब कहाँ कहां कैसे क्यों कितना कितनी कितने कौनसा कौनसी होता होती होते हुआ हुई हुए हो होना गया गई गए जाता जाती जाते
  कर करता करती करते किया की करने करना लिए साथ द्वारा तक भी ही नहीं न तो अपने अपनी अपना बाद पहले दौरान बारे रहा रही रहे
  सकता सकती सकते वाला वाली वाले नाम कुछ सभी कोई जब तब
  ที่ ใน เป็น และ ของ มี ได้ จาก ให้ ว่า ไม่ กับ โดย เพื่อ นี้ นั้น ซึ่ง หรือ แต่ ก็ จะ ถูก มา ไป อยู่ คือ อะไร ใคร ไหน ใด เมื่อ เมื่อไร เมื่อไหร่
  อย่างไร ทำไม กี่ เท่าไร เท่าไหร่ ด้วย ต่อ แล้ว ยัง กว่า ที่สุด อย่าง การ ความ คน สิ่ง ชื่อ ระหว่าง ตาม ถึง ทำ ใช้ แห่ง ตั้งแต่ เรียก ผู้ ไว้ ขึ้น
  ลง ออก เข้า ทั้ง ทุก แต่ละ บาง หลาย มาก กัน อื่น`.split(/\s+/),
);

/** Letters of scripts that the search doesn't analyse, such as Devanagari and Thai. */
const unanalysedLetter = /[^\P{Lo}\p{sc=Arabic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ªº]/u;

/** Whether a question is in a language that the search doesn't analyse, so its words match texts mostly by chance. */
export const isUnanalysed = (question: string): boolean => isVietnamese(question) || unanalysedLetter.test(question);

/** Whether a word of such a question is a function word. */
export const isFunctionWord = (word: string): boolean => functionWords.has(word.normalize("NFC").toLowerCase());
